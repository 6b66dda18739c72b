// Inviting, and taking a seat.
"use strict";

async function copyInvitation(button) {
  const link = new URL(button.dataset.copyLink, location.href).href;
  const status = document.querySelector("[data-copied]");
  if (await copyText(link)) status.textContent = phrase("invitation-copied");
  else {
    const field = Object.assign(document.createElement("input"), { type: "text", value: link, readOnly: true });
    field.setAttribute("aria-label", phrase("invitation"));
    status.replaceChildren(phrase("copy-by-hand"), " ", field);
    field.select();
  }
}

async function shareInvitation(button) {
  const url = new URL(button.dataset.shareLink, location.href).href;
  await navigator.share({ title: "Argentum", text: phrase("sit-down"), url }).catch(() => {}); // cancelled
}

document.addEventListener("click", (event) => {
  const clicked = (name) => event.target.closest?.(`[data-${name}]`);
  if (clicked("copy-link")) copyInvitation(clicked("copy-link"));
  else if (clicked("share-link")) shareInvitation(clicked("share-link"));
  else if (clicked("show-qr")) clicked("show-qr").setAttribute("aria-expanded", String(clicked("show-qr").closest(".invitation").classList.toggle("open")));
  else if (clicked("move-here")) seat.moveHere();
  else if (clicked("show-seat")) confirmPassDevice(clicked("show-seat").dataset.showSeat);
  else if (clicked("claim-seat")) {
    const name = document.querySelector("[data-guest-name]").value.trim();
    if (name) store.set("name", name);
    send({ type: "claim_seat", seat: clicked("claim-seat").dataset.claimSeat, name: name || store.get("name") || "" });
  }
});

// Fill in what only the browser knows: whether it can share, and the stored name.
function fillBrowserFields() {
  for (const button of document.querySelectorAll("[data-share-link][hidden]")) button.hidden = !navigator.share;
  const name = document.querySelector("[data-guest-name]");
  if (name && !name.dataset.filled) {
    name.dataset.filled = "1";
    name.value = store.get("name") ?? "";
  }
}
new MutationObserver(fillBrowserFields).observe(document.getElementById("stage"), { childList: true, subtree: true });

// A quick seat at a new table waits for another player, then starts with a bot in the free seat. The server sends how long
// the table has waited, so a reload does not restart the wait.
const QUICK_WAIT_SECONDS = 45;
function startQuickGame() {
  if (!new URLSearchParams(location.search).has("quick") || stage.dataset.page !== "lobby" || lobbySeconds === null || startQuickGame.timer) return;
  const left = Math.max(1, Math.ceil(QUICK_WAIT_SECONDS - lobbySeconds));
  showToast(phrase(left === 1 ? "waiting-1" : "waiting", { left }));
  startQuickGame.timer = setTimeout(() => {
    showToast("");
    if (stage.dataset.page === "lobby") send({ type: "start" });
  }, left * 1000);
}
