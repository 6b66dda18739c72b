// Texts of the scripts. The page contains them; their source is argentum/words/client_messages.py.
"use strict";

const phrases = JSON.parse(document.getElementById("phrases").content.textContent);

// Return the text with this name, with its placeholders filled in.
function phrase(name, values = {}) {
  return phrases[name].replace(/\{(\w+)\}/g, (_, field) => values[field]);
}
