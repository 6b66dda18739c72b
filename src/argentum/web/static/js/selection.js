// Selecting cards, and sending moves.
import { CardSelection } from "./card_selection.js";
import { send } from "./connection.js";
import { findAll, get, onClick } from "./dom.js";
import { emit } from "./events.js";
import { hideHelp } from "./help.js";
import { pageState } from "./page_state.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";

export const selection = new CardSelection();

const templateButtons = () => findAll(stage, "[data-template]", HTMLButtonElement);

/** @param {HTMLElement} button */
export const spotsOf = (button) => (button.dataset.spots ?? "").split(" ");

/** @param {HTMLElement} button */
function acceptanceOf(button) {
  return { spots: spotsOf(button), minCards: Number(button.dataset.minCards), maxCards: Number(button.dataset.maxCards) };
}

/** Show the selection on the cards of the page and on the buttons of the prompt. */
export function syncSelection() {
  const cards = findAll(stage, "[data-select]");
  selection.restrictTo(new Set(cards.map((card) => card.dataset.select ?? "")));
  for (const card of cards) {
    const isSelected = selection.has(card.dataset.select ?? "");
    card.setAttribute("aria-pressed", String(isSelected));
    card.closest("[data-slot]")?.classList.toggle("selected", isSelected);
  }
  for (const button of templateButtons()) {
    const acceptance = acceptanceOf(button);
    const count = selection.among(acceptance.spots).length;
    const action = button.dataset.text ?? "";
    button.disabled = !selection.isAccepted(acceptance);
    get(button, ":scope > *").textContent = count > 1 && acceptance.maxCards > 2 ? phrase("several", { action, count }) : action;
  }
  emit("selection-shown", null);
}

export function clearSelection() {
  selection.clear();
  syncSelection();
}

/** @param {string} spot */
export function toggleCard(spot) {
  selection.toggle(spot, templateButtons().map(acceptanceOf));
  syncSelection();
}

/** @param {string} move */
export function sendMove(move) {
  clearSelection();
  hideHelp();
  send({ type: "move", choice: pageState.choice, move, hold: true });
}

/**
 * Send the move of a button with the selected cards.
 * @param {HTMLElement} button
 */
export function sendSelection(button) {
  sendMove((button.dataset.template ?? "").replace("{}", selection.among(spotsOf(button)).join(" ")));
}

onClick("[data-clear-selection]", clearSelection);
