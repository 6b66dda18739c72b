// Selecting cards and sending moves. The selection is the only state of the game in the page.
"use strict";

const selection = new Set();

function syncSelection() {
  const offered = new Set([...stage.querySelectorAll("[data-select]")].map((card) => card.dataset.select));
  for (const spot of selection) if (!offered.has(spot)) selection.delete(spot);
  for (const card of stage.querySelectorAll("[data-select]")) {
    const on = selection.has(card.dataset.select);
    card.setAttribute("aria-pressed", String(on));
    card.closest("[data-slot]").classList.toggle("selected", on);
  }
  for (const button of stage.querySelectorAll("[data-template]")) {
    const matching = [...selection].filter((spot) => button.dataset.spots.split(" ").includes(spot));
    const enough = matching.length === selection.size && matching.length >= +button.dataset.minCards && matching.length <= +button.dataset.maxCards;
    button.disabled = !enough;
    const label = button.dataset.text;
    button.firstElementChild.textContent = matching.length > 1 && +button.dataset.maxCards > 2 ? phrase("several", { action: label, count: matching.length }) : label;
  }
  requestPreview();
}

// Show or hide the confirmation of a call, unless it is switched off. Its button is enabled after a moment, so that a
// double tap does not confirm.
function confirmCall(on) {
  const confirm = stage.querySelector(".confirm");
  if (!confirm) return;
  if (on && store.get("confirm_call") === "no") return sendMove("call");
  confirm.hidden = !on;
  const button = confirm.querySelector("[data-move]");
  button.disabled = on;
  if (on) setTimeout(() => { button.disabled = false; if (usingKeyboard) button.focus(); }, 400);
  else stage.querySelector("[data-call]")?.focus();
}

function toggleCard(spot) {
  const limit = Math.max(...[...stage.querySelectorAll("[data-template]")]
    .filter((button) => button.dataset.spots.split(" ").includes(spot)).map((button) => +button.dataset.maxCards));
  if (selection.has(spot)) selection.delete(spot);
  else {
    while (selection.size >= limit) selection.delete(selection.values().next().value);
    selection.add(spot);
  }
  syncSelection();
}

function sendMove(text) {
  selection.clear();
  syncSelection();
  hideHelp();
  send({ type: "move", choice: choiceNumber, move: text, hold: true });
}

function sendSelection(button) {
  const order = button.dataset.spots.split(" ").filter((spot) => selection.has(spot));
  sendMove(button.dataset.template.replace("{}", order.join(" ")));
}
