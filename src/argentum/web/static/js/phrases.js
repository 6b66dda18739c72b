// Texts and constants of the scripts. The page contains them; the texts are from argentum/words/client_messages.py.
"use strict";

const [phrases, constants] = ["phrases", "constants"].map((id) => JSON.parse(document.getElementById(id).content.textContent));

// Return the text with this name, with its placeholders filled in.
function phrase(name, values = {}) {
  return phrases[name].replace(/\{(\w+)\}/g, (_, field) => values[field]);
}
