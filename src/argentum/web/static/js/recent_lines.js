// The newest lines of the log on small pages, and the actions since the reader's last turn on large ones.
import { closest, create, find, findAll, onClick } from "./dom.js";
import { constants } from "./phrases.js";
import { stage } from "./stage.js";

const HIGHLIGHT_MS = 1200;

/**
 * Copy the newest log lines to the panel of small pages. Text that does not fit is cut off, but the first badge stays
 * visible.
 */
export function showRecentLines() {
  const lines = findAll(stage, "#log li:not(.since)").slice(0, 3)
    .map((line) => create("span", {}, create("span", {}, ...copyContent(line))));
  document.getElementById("recent-lines")?.replaceChildren(...lines);
  for (const line of lines) {
    const badge = find(line, ".chip");
    if (badge && badge.getBoundingClientRect().right > line.getBoundingClientRect().right) line.append(badge);
  }
  showSinceTurn();
}

/** @param {HTMLElement} line */
const copyContent = (line) => line.cloneNode(true).childNodes;

/** Show the last action of each other seat since the reader's last turn, on large pages. */
function showSinceTurn() {
  const panel = document.getElementById("since-turn");
  if (!panel) return;
  const initials = (panel.dataset.initials ?? "").split(" ");
  const last = lastActions(panel.dataset.you ?? "");
  panel.hidden = !last.size;
  find(panel, "ol")?.replaceChildren(...[...last].reverse().map(([seat, line]) => {
    const ring = create("i", { textContent: initials[constants.seatLetters.indexOf(seat)], ariaHidden: "true" });
    const button = create("button", { type: "button" }, ring, create("span", {}, ...copyContent(line)));
    button.dataset.actionsOf = seat;
    return create("li", {}, button);
  }));
}

/**
 * Return the newest log line of each other seat since the reader's last turn, newest first.
 * @param {string} you
 */
function lastActions(you) {
  /** @type {Map<string, HTMLElement>} */
  const last = new Map();
  let line = find(stage, "#log .since")?.nextElementSibling;
  for (; line instanceof HTMLElement && !line.matches(".before"); line = line.nextElementSibling) {
    const seat = line.dataset.by;
    if (seat && seat !== you && !last.has(seat)) last.set(seat, line);
  }
  return last;
}

// Hovering or focusing a line of that panel highlights the cards of the seat's actions; the arrow button cycles through all
// seats.

/** @param {string} [seat] */
function highlightSeat(seat) {
  for (const element of findAll(stage, ".recent-action, [data-actions-of]")) {
    element.classList.toggle("lit", (element.dataset.by ?? element.dataset.actionsOf) === seat);
  }
}

for (const [type, on] of /** @type {const} */ ([["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]])) {
  document.addEventListener(type, ({ target }) => {
    const line = closest(target, "[data-actions-of]");
    if (line) highlightSeat(on ? line.dataset.actionsOf : "");
  });
}

onClick("[data-cycle-actions]", () => {
  const seats = findAll(stage, "[data-actions-of]").map((line) => line.dataset.actionsOf);
  [...seats, ""].forEach((seat, index) => setTimeout(() => highlightSeat(seat), HIGHLIGHT_MS * index));
});
