// Short messages over the page, and errors that end the connection.
import { byId, create } from "./dom.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";

const toast = byId("toast");
let timer = 0;

/**
 * Show a text; an empty one hides the toast.
 * @param {string} text
 * @param {number} [durationMs] without it, the text stays
 */
export function showToast(text, durationMs = 0) {
  clearTimeout(timer);
  toast.textContent = text;
  toast.hidden = !text;
  if (durationMs) timer = setTimeout(() => showToast(""), durationMs);
}

/** @param {string} reason */
export function showFatalError(reason) {
  const home = create("a", { href: stage.dataset.home, textContent: phrase("start-page") });
  stage.replaceChildren(create("p", { className: "refusal", textContent: sentence(reason) }), home);
}

/**
 * Return a text with a capital and a full stop.
 * @param {string} text
 */
export const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
