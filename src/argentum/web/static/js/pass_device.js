// Passing a shared device.
"use strict";

// Cards stay hidden for a moment, so that a key or tap meant for the table does not show them.
const MIN_HIDDEN_MS = 600;
let hiddenSince = 0;
function confirmPassDevice(seat) {
  if (performance.now() - hiddenSince > MIN_HIDDEN_MS) send({ type: "show_seat", seat });
}
function onPassDevice() {
  if (stage.dataset.page !== "pass_device") return;
  hiddenSince = performance.now();
  for (const sheet of document.querySelectorAll("[popover]:popover-open")) sheet.hidePopover();
  showToast("");
  document.querySelector("[data-show-seat]")?.focus();
}
