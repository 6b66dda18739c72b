// Short messages over the page, and errors that end the connection.
"use strict";

const toast = document.getElementById("toast");

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

let toastTimer = 0;
function showToast(text, durationMs = 0) {
  clearTimeout(toastTimer);
  toast.textContent = text;
  toast.hidden = !text;
  if (durationMs) toastTimer = setTimeout(() => showToast(""), durationMs);
}

function showFatalError(reason) {
  const text = document.createElement("p");
  text.className = "refusal";
  text.textContent = sentence(reason);
  const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, textContent: phrase("start-page") });
  stage.replaceChildren(text, home);
}
