// Dialogs and popovers ("sheets"). An open one takes the focus (`autofocus`), and Tab stays within it and its help.
"use strict";

const currentSheet = () => document.querySelector("dialog[open], [popover]:popover-open:not(#help)");

document.addEventListener("keydown", (event) => {
  const sheet = currentSheet();
  if (event.key !== "Tab" || !sheet) return;
  const focusable = "a[href], button, select, input:not([type=radio]:not(:checked)), [tabindex='0']";
  const containers = [sheet, document.querySelector("#help:popover-open")].filter(Boolean);
  const stops = containers.flatMap((container) => [...container.querySelectorAll(focusable)])
    .filter((element) => !element.disabled && element.getClientRects().length);
  const step = event.shiftKey ? -1 : 1;
  const index = stops.indexOf(document.activeElement);
  const next = index < 0 ? stops.at(event.shiftKey ? -1 : 0) : stops.at((index + step) % stops.length);
  next?.focus();
  event.preventDefault();
});

function openSheet(sheet) {
  if (sheet instanceof HTMLDialogElement) sheet.showModal();
  else sheet?.togglePopover();
}

function closeSheets() {
  for (const sheet of stage.querySelectorAll("dialog[open]")) sheet.close();
  hideHelp();
}
