// Passing a shared device. Cards stay hidden for a moment, so that a key or tap meant for the table does not show them.
import { send } from "./connection.js";
import { find, findAll, onClick } from "./dom.js";
import { on } from "./events.js";
import { showToast } from "./toast.js";

const MIN_HIDDEN_MS = 600;
let timer = 0;

on("page-shown", ({ page }) => {
  if (page !== "pass_device") return;
  delete document.body.dataset.mayShowSeat;
  clearTimeout(timer);
  timer = setTimeout(() => {
    document.body.dataset.mayShowSeat = "yes";
  }, MIN_HIDDEN_MS);
  for (const sheet of findAll(document, "[popover]:popover-open")) sheet.hidePopover();
  showToast("");
  find(document, "[data-show-seat]")?.focus();
});

onClick("[data-show-seat]", ({ dataset }) => {
  if (document.body.dataset.mayShowSeat) send({ type: "show_seat", seat: dataset.showSeat });
});
