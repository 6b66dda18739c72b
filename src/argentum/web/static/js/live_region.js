// Announcements for screen readers.
import { create } from "./dom.js";

const region = create("p", { className: "visually-hidden", role: "status", id: "announcements" });
document.body.prepend(region);

/** @param {string} text */
export function announce(text) {
  region.textContent = text;
}

/**
 * Announce a text after what was announced last.
 * @param {string} text
 */
export function announceAlso(text) {
  announce(`${region.textContent} ${text}`);
}
