// Parts of a table page around the game: the reader's seat, the invitation, passing the device, stored tables and results,
// and the replay. table.js has the connection and calls `seat`.
"use strict";

const seat = {
  takingOver: false, // from another device

  // Return fields of the first message. All tabs of a browser send the same device name.
  joinFields() {
    let device = store.get("device");
    if (!device) {
      device = randomHex();
      store.set("device", device);
    }
    const [key, ...localKeys] = seatKeys();
    const query = new URLSearchParams(location.search);
    const game = query.get("game"); // a link to a finished game
    const reloaded = query.has("reload"); // the server then accepts the page in any version
    if (reloaded) {
      query.delete("reload");
      history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    }
    return { device, key, local_keys: localKeys, build: stage.dataset.build, ...(reloaded && { reloaded }), ...(this.takingOver && { take_over: true }), ...(game && { game: +game }) };
  },

  // Put the key of a seat that this browser has claimed into the page's URL. The connection is the seat's already. `beside`
  // marks a further seat on this device.
  takeSeat({ key, beside: isLocal }) {
    const keys = isLocal ? [...seatKeys(), key] : [key];
    history.replaceState(null, "", `${pageAddress()}#${keys.join(".")}`);
    storeTable();
    sendPace();
  },

  // Show that the seat is open on another device (`elsewhere`), or has just moved there (`moved`).
  showSeatInUse(code) {
    const moved = code === "moved";
    const page = document.createElement("section");
    page.className = "single-page seat-in-use";
    const title = document.createElement("h1");
    title.textContent = phrase(moved ? "moved" : "open-elsewhere");
    const text = document.createElement("p");
    text.className = "lead";
    text.textContent = phrase(moved ? "one-device" : "if-you");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button lamp main", textContent: phrase(moved ? "back-here" : "move-here") });
    button.dataset.moveHere = "";
    const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, className: "button", textContent: phrase("start-page") });
    const actions = document.createElement("div");
    actions.className = "page-actions";
    actions.append(button, home);
    page.append(title, text, actions);
    stage.replaceChildren(page);
    stage.dataset.page = "seat_in_use";
    button.focus();
  },

  moveHere() {
    this.takingOver = true;
    closedForGood = false;
    socket.onclose = null;
    socket.close();
    connect();
  },
};

// Keys in the fragment of the page's URL: one for a seat, several on a shared device.
const seatKeys = () => location.hash.slice(1).split(".");

// Copy a text; return whether that worked. Without https there is no clipboard API, so copy from a selected field.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

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

// Store tables and the results of games for the landing page.
const MAX_GAMES = 500;

function storeTable() {
  const name = stage.dataset.table;
  const key = location.hash.slice(1);
  if (key && !new URLSearchParams(location.search).has("game") && stage.dataset.page && !["invitation", "seat_in_use"].includes(stage.dataset.page)) {
    store.addToList("tables", { name, key, at: Date.now() }, (other) => other.name === name, constants.maxTables);
  }
}

function storeGame() {
  const result = document.querySelector("[data-result]")?.dataset.result;
  if (!result) return;
  const game = { ...JSON.parse(result), at: Date.now() };
  if (game.id !== storeGame.last) store.addToList("games", game, (other) => other.id === game.id, MAX_GAMES);
  storeGame.last = game.id;
}

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

// Open the review if the page's URL asks for it.
function openLinkedReview() {
  if (stage.dataset.page !== "game_end" || !new URLSearchParams(location.search).has("review")) return;
  history.replaceState(null, "", pageAddress() + location.hash);
  document.querySelector("[data-review]")?.click();
}

new MutationObserver(() => {
  onPassDevice();
  storeTable();
  storeGame();
  startQuickGame();
  openLinkedReview();
}).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-page"] });

// Return the page's path and query, with a replay position if one is given. In the static edition the query begins with the
// table's name.
function pageAddress(position) {
  const query = new URLSearchParams(location.search);
  query.delete("quick");
  query.delete("review");
  query.delete("eyes");
  if (position === undefined) query.delete("at");
  else query.set("at", position);
  return location.pathname + (String(query) && `?${query}`);
}

// Replay. It can advance by itself, and the page's URL is a link to its position.
const replay = { timer: 0, position: () => document.getElementById("replay")?.dataset };

const replayDelayMs = () => store.get("replay_speed") ?? "1200"; // from move to move

function playReplay(on) {
  clearInterval(replay.timer);
  replay.timer = 0;
  if (on) {
    const step = () => {
      const { index, last } = replay.position() ?? {};
      if (index === undefined || +index >= +last) return playReplay(false);
      send({ type: "show_replay", at: +index + 1 });
    };
    replay.timer = setInterval(step, +replayDelayMs());
    step();
  }
  updatePlayButton();
}

function updatePlayButton() {
  const button = document.getElementById("replay-play");
  if (!button) return;
  const action = replay.timer ? "pause" : "play";
  if (button.getAttribute("aria-label") === phrase(action)) return;
  button.setAttribute("aria-label", phrase(action));
  const use = button.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${action}`));
}

// Put the replay's position into the page's URL, or open the position that the URL names.
function followReplay() {
  const search = new URLSearchParams(location.search);
  const position = replay.position();
  if (position) {
    if (search.get("at") !== position.index) history.replaceState(null, "", pageAddress(position.index) + location.hash);
    followReplay.begun = true;
    document.getElementById("replay-speed").value = replayDelayMs(); // an update resets it
    if (replay.timer && +position.index >= +position.last) playReplay(false);
    updatePlayButton();
  } else if (["game_end", "round_end", "lobby"].includes(stage.dataset.page) && search.has("at")) {
    playReplay(false);
    if (followReplay.begun) history.replaceState(null, "", pageAddress() + location.hash);
    else if (/^\d{1,5}$/.test(search.get("at"))) send({ type: "show_replay", at: +search.get("at"), eyes: search.get("eyes") ?? "" });
    followReplay.begun = true;
  }
}
new MutationObserver(followReplay).observe(document.getElementById("stage"), { attributes: true, childList: true, subtree: true, attributeFilter: ["data-page", "data-index", "aria-label"] });

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-replay-play], [data-copy-move], [data-copy-game]");
  if (!button) return;
  if (button.matches("[data-replay-play]")) return playReplay(!replay.timer);
  const url = new URL(button.dataset.copyMove ?? button.dataset.copyGame, location.href);
  url.searchParams.set("at", replay.position()?.index ?? 0);
  if (replay.position()?.viewer) url.searchParams.set("eyes", replay.position().viewer);
  const link = String(url);
  showToast((await copyText(link)) ? phrase("replay-copied") : link, 6000);
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-replay-speed]")) return;
  store.set("replay_speed", target.value);
  if (replay.timer) playReplay(true);
});
