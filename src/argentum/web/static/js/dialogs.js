// Sheets over a page. One that opens takes the focus (`autofocus`), and Tab stays within it and its help until it is closed.
"use strict";

const openSheetNow = () => document.querySelector("dialog[open], [popover]:popover-open:not(#help)");

document.addEventListener("keydown", (event) => {
  const sheet = openSheetNow();
  if (event.key !== "Tab" || !sheet) return;
  const within = "a[href], button, select, input:not([type=radio]:not(:checked)), [tabindex='0']";
  const parts = [sheet, document.querySelector("#help:popover-open")].filter(Boolean);
  const stops = parts.flatMap((part) => [...part.querySelectorAll(within)]).filter((one) => !one.disabled && one.getClientRects().length);
  const step = event.shiftKey ? -1 : 1;
  const at = stops.indexOf(document.activeElement);
  const next = at < 0 ? stops.at(event.shiftKey ? -1 : 0) : stops.at((at + step) % stops.length);
  next?.focus();
  event.preventDefault();
});
