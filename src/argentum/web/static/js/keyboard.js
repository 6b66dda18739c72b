// Keyboard: arrows move between cards, Enter chooses, ? shows help, Escape closes.
"use strict";

const ARROW_STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio]), select")) return;
  longPressed = false;
  if (event.key === "?" || event.key === "h") {
    const explained = event.target.closest("[data-help]") ?? event.target.querySelector?.("[data-help]");
    if (explained) toggleHelp(explained);
  } else if (event.key === "Escape") {
    if (helpTarget) hideHelp();
    else if (stage.querySelector(".confirm:not([hidden])")) confirmCall(false);
  } else if (stage.dataset.page === "table" && event.key === "r") openSheet(document.getElementById("cast-sheet"));
  else if (stage.dataset.page === "table" && /^[1-9]$/.test(event.key)) {
    stage.querySelectorAll(".village.yours .row [data-slot-button]")[event.key - 1]?.focus();
  } else if (pressShortcut(event.key)) event.preventDefault();
  else if (event.key in ARROW_STEPS && stage.dataset.page === "table" && !document.querySelector("dialog[open]")) {
    const legal = [...stage.querySelectorAll(".legal [data-slot-button]")];
    const all = legal.length ? legal : [...stage.querySelectorAll("[data-slot-button]")];
    const visible = all.filter((card) => card.getBoundingClientRect().width);
    if (!visible.length) return;
    const index = visible.indexOf(document.activeElement);
    visible[(index + ARROW_STEPS[event.key] + visible.length + (index < 0 && ARROW_STEPS[event.key] < 0 ? 1 : 0)) % visible.length].focus();
    event.preventDefault();
  }
});

// Press the prompt's button with this shortcut; return whether there is one.
function pressShortcut(key) {
  const button = stage.querySelector(`#prompt [aria-keyshortcuts="${CSS.escape(key)}"]:not([disabled])`);
  if (!button || document.querySelector("dialog[open], [popover]:popover-open:not(#help)") || stage.querySelector(".confirm:not([hidden])")) return false;
  button.click();
  return true;
}
