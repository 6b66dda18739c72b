// What scripts say. The page brings the sentences along, which stand in argentum/words/client_messages.py.
"use strict";

const phrases = JSON.parse(document.getElementById("phrases").content.textContent);

// A sentence by its name, with what it is about filled in.
function phrase(name, about = {}) {
  return phrases[name].replace(/\{(\w+)\}/g, (_, what) => about[what]);
}
