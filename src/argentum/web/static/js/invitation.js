// Inviting, taking a seat, and waiting for others.
import { copyText } from "./clipboard.js";
import { send } from "./connection.js";
import { create, find, findAll, get, onClick } from "./dom.js";
import { on } from "./events.js";
import { pageState } from "./page_state.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";
import * as store from "./store.js";
import { showToast } from "./toast.js";

const QUICK_WAIT_SECONDS = 45;
let quickTimer = 0;

const nameField = () => find(document, "[data-guest-name]", HTMLInputElement);

/** @param {string} [path] */
const absolute = (path = "") => new URL(path, location.href).href;

onClick("[data-copy-link]", async ({ dataset }) => {
  const link = absolute(dataset.copyLink);
  const status = get(document, "[data-copied]");
  if (await copyText(link)) {
    status.textContent = phrase("invitation-copied");
    return;
  }
  const field = create("input", { type: "text", value: link, readOnly: true, ariaLabel: phrase("invitation") });
  status.replaceChildren(phrase("copy-by-hand"), " ", field);
  field.select();
});
onClick("[data-share-link]", ({ dataset }) => {
  const invitation = { title: "Argentum", text: phrase("sit-down"), url: absolute(dataset.shareLink) };
  navigator.share(invitation).catch(() => {}); // cancelled
});
onClick("[data-show-qr]", (button) => {
  button.ariaExpanded = String(button.closest(".invitation")?.classList.toggle("open"));
});
onClick("[data-claim-seat]", ({ dataset }) => {
  const name = nameField()?.value.trim() ?? "";
  if (name) store.set("name", name);
  send({ type: "claim_seat", seat: dataset.claimSeat, name: name || store.get("name") || "" });
});

on("page-shown", () => {
  fillBrowserFields();
  startQuickGame();
});

/** Fill in what only the browser knows: whether it can share, and the stored name. */
function fillBrowserFields() {
  for (const button of findAll(document, "[data-share-link][hidden]")) button.hidden = !navigator.share;
  const name = nameField();
  if (name && !name.dataset.filled) {
    name.dataset.filled = "1";
    name.value = store.get("name") ?? "";
  }
}

/**
 * At a quick seat at a new table, wait for another player, then start with a bot in the free seat. The server sends how
 * long the table has waited, so a reload does not restart the wait.
 */
function startQuickGame() {
  const isQuick = new URLSearchParams(location.search).has("quick") && stage.dataset.page === "lobby";
  if (!isQuick || pageState.lobbySeconds === null || quickTimer) return;
  const left = Math.max(1, Math.ceil(QUICK_WAIT_SECONDS - pageState.lobbySeconds));
  showToast(phrase(left === 1 ? "waiting-1" : "waiting", { left }));
  quickTimer = setTimeout(() => {
    showToast("");
    if (stage.dataset.page === "lobby") send({ type: "start" });
  }, left * 1000);
}
