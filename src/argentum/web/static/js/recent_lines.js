// The newest lines of the log, and the actions since the reader's last turn.
"use strict";

// Copy the newest log lines to the panel of small pages. Text that does not fit is cut off, but the first badge stays
// visible.
function showRecentLines() {
  const lines = [...stage.querySelectorAll("#log li:not(.since)")].slice(0, 3).map((line) => {
    const copy = document.createElement("span");
    copy.appendChild(document.createElement("span")).append(...line.cloneNode(true).childNodes);
    return copy;
  });
  document.getElementById("recent-lines")?.replaceChildren(...lines);
  for (const line of lines) {
    const badge = line.querySelector(".chip");
    if (badge && badge.getBoundingClientRect().right > line.getBoundingClientRect().right) line.append(badge);
  }
  showSinceTurn();
}

// Show the last action of each other seat since the reader's last turn, on large pages.
function showSinceTurn() {
  const panel = document.getElementById("since-turn");
  if (!panel) return;
  const last = new Map();
  for (let line = stage.querySelector("#log .since")?.nextElementSibling; line && !line.matches(".before"); line = line.nextElementSibling) {
    const seat = line.dataset.by;
    if (seat && seat !== panel.dataset.you && !last.has(seat)) last.set(seat, line);
  }
  panel.hidden = !last.size;
  const initials = panel.dataset.initials.split(" ");
  panel.querySelector("ol").replaceChildren(...[...last].reverse().map(([seat, line]) => {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.dataset.actionsOf = seat;
    const text = document.createElement("span");
    text.append(...line.cloneNode(true).childNodes);
    const ring = Object.assign(document.createElement("i"), { textContent: initials[constants.seatLetters.indexOf(seat)] });
    ring.setAttribute("aria-hidden", "true");
    button.append(ring, text);
    item.append(button);
    return item;
  }));
}

// Hovering or focusing a line of that panel highlights the cards of the seat's actions; the arrow button cycles through all
// seats.
function highlightSeat(seat) {
  for (const element of stage.querySelectorAll(".recent-action, [data-actions-of]")) {
    element.classList.toggle("lit", (element.dataset.by ?? element.dataset.actionsOf) === seat);
  }
}
for (const [type, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  document.addEventListener(type, ({ target }) => {
    const line = target.closest?.("[data-actions-of]");
    if (line) highlightSeat(on ? line.dataset.actionsOf : "");
  });
}
function cycleHighlights() {
  const seats = [...stage.querySelectorAll("[data-actions-of]")].map((line) => line.dataset.actionsOf);
  [...seats, ""].forEach((seat, index) => setTimeout(() => highlightSeat(seat), 1200 * index));
}
