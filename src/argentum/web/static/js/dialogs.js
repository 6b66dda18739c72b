// Dialogs and popovers ("sheets"). An open one takes the focus (`autofocus`), and Tab stays within it and its help.
import { find, findAll } from "./dom.js";

const FOCUSABLE = "a[href], button, select, input:not([type=radio]:not(:checked)), [tabindex='0']";

export const currentSheet = () => find(document, "dialog[open], [popover]:popover-open:not(#help)");

/** @param {HTMLElement | null} sheet */
export function openSheet(sheet) {
  if (sheet instanceof HTMLDialogElement) sheet.showModal();
  else sheet?.togglePopover();
}

document.addEventListener("keydown", (event) => {
  const sheet = currentSheet();
  if (event.key !== "Tab" || !sheet) return;
  const help = find(document, "#help:popover-open");
  const stops = [sheet, ...(help ? [help] : [])].flatMap((container) => findAll(container, FOCUSABLE))
    .filter((element) => !element.matches(":disabled") && element.getClientRects().length);
  const step = event.shiftKey ? -1 : 1;
  const index = stops.findIndex((stop) => stop === document.activeElement);
  const next = index < 0 ? stops.at(event.shiftKey ? -1 : 0) : stops.at((index + step) % stops.length);
  next?.focus();
  event.preventDefault();
});
