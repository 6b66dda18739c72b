// Keyboard: arrows move between cards, Enter chooses, ? shows help, Escape closes.
import { cancelCall, isCallAsked } from "./call.js";
import { openSheet } from "./dialogs.js";
import { closest, find, findAll } from "./dom.js";
import { endLongPress, hideHelp, isHelpOpen, toggleHelp } from "./help.js";
import { keyAction, nextIndex } from "./shortcuts.js";
import { stage } from "./stage.js";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || closest(event.target, "input:not([type=radio]), select")) return;
  endLongPress();
  const key = keyAction(event.key, stage.dataset.page === "table");
  if (key.action === "help") toggleHelpOf(event.target);
  else if (key.action === "close") closeTopmost();
  else if (key.action === "residents") openSheet(document.getElementById("cast-sheet"));
  else if (key.action === "focus-card") findAll(stage, ".village.yours .row [data-slot-button]")[key.index]?.focus();
  else if (pressShortcut(event.key) || (key.step && focusNextCard(key.step))) event.preventDefault();
});

/** @param {EventTarget | null} target */
function toggleHelpOf(target) {
  const explained = closest(target, "[data-help]") ?? (target instanceof Element ? find(target, "[data-help]") : null);
  if (explained) toggleHelp(explained);
}

/** The browser closes an open sheet. */
function closeTopmost() {
  if (isHelpOpen()) hideHelp();
  else if (isCallAsked()) cancelCall();
}

/**
 * Press the prompt's button with this shortcut; return whether there is one.
 * @param {string} key
 */
function pressShortcut(key) {
  const button = find(stage, `#prompt [aria-keyshortcuts="${CSS.escape(key)}"]:not([disabled])`);
  if (!button || find(document, "dialog[open], [popover]:popover-open:not(#help)") || isCallAsked()) return false;
  button.click();
  return true;
}

/**
 * Focus the next or previous card that can be chosen, or any card if none can; return whether there is one.
 * @param {-1 | 1} step
 */
function focusNextCard(step) {
  if (find(document, "dialog[open]")) return false;
  const legal = findAll(stage, ".legal [data-slot-button]");
  const cards = legal.length ? legal : findAll(stage, "[data-slot-button]");
  const visible = cards.filter((card) => card.getBoundingClientRect().width);
  const index = visible.findIndex((card) => card === document.activeElement);
  visible[nextIndex(index, step, visible.length)]?.focus();
  return visible.length > 0;
}
