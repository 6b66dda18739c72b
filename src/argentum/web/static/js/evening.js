// What surrounds a game on a table's page: the invitation, the seat, and what the browser keeps of it.
// table.js has the line to the server and calls `evening`.
"use strict";

const evening = {
  moving: false, // the person wants their seat here

  // What the first message says of this browser: one device has one name, in all its tabs.
  sitting() {
    let device = localStorage.getItem("device");
    if (!device) {
      device = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      localStorage.setItem("device", device);
    }
    const [key, ...beside] = keysHere();
    const query = new URLSearchParams(location.search);
    const game = query.get("game"); // a link to a game that is over
    const reloaded = query.has("reload"); // the server wanted this page anew: it must not do so without end
    if (reloaded) {
      query.delete("reload");
      history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    }
    return { device, key, beside, build: stage.dataset.build, ...(reloaded && { reloaded }), ...(this.moving && { move: true }), ...(game && { game: +game }) };
  },

  // An invited guest has got a seat: its link is this page's from now on. So are the links of those beside them.
  takeSeat({ key, beside }) {
    const keys = beside ? [...keysHere(), key] : [key];
    history.replaceState(null, "", `${address()}#${keys.join(".")}`);
    if (!beside) location.reload();
    else keepTable();
  },

  // The seat is open on another device, or has just moved there.
  elsewhere(code) {
    const left = code === "moved";
    const page = document.createElement("section");
    page.className = "over elsewhere";
    const title = document.createElement("h1");
    title.textContent = phrase(left ? "moved" : "open-elsewhere");
    const words = document.createElement("p");
    words.className = "lead";
    words.textContent = phrase(left ? "one-device" : "if-you");
    const move = Object.assign(document.createElement("button"), { type: "button", className: "button lamp main", textContent: phrase(left ? "back-here" : "move-here") });
    move.dataset.moveHere = "";
    const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, className: "button", textContent: phrase("start-page") });
    const ways = document.createElement("div");
    ways.className = "over-actions";
    ways.append(move, home);
    page.append(title, words, ways);
    stage.replaceChildren(page);
    stage.dataset.kind = "elsewhere";
    move.focus();
  },

  moveHere() {
    this.moving = true;
    closed = false;
    socket.onclose = null;
    socket.close();
    connect();
  },
};

// A page's secret is a seat's key, or several, for people who share the device.
const keysHere = () => location.hash.slice(1).split(".");

// Copying: without https there is no clipboard for pages, but a selected field can be copied still.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "unseen" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

async function copyInvitation(button) {
  const link = new URL(button.dataset.copyLink, location.href).href;
  const said = document.querySelector("[data-copied]");
  if (await copyText(link)) said.textContent = phrase("invitation-copied");
  else {
    const field = Object.assign(document.createElement("input"), { type: "text", value: link, readOnly: true });
    field.setAttribute("aria-label", phrase("invitation"));
    said.replaceChildren(phrase("copy-by-hand"), " ", field);
    field.select();
  }
}

async function shareInvitation(button) {
  const url = new URL(button.dataset.shareLink, location.href).href;
  await navigator.share({ title: "Argentum", text: phrase("sit-down"), url }).catch(() => {}); // changed their mind
}

document.addEventListener("click", (event) => {
  const on = (name) => event.target.closest?.(`[data-${name}]`);
  if (on("copy-link")) copyInvitation(on("copy-link"));
  else if (on("share-link")) shareInvitation(on("share-link"));
  else if (on("show-qr")) on("show-qr").setAttribute("aria-expanded", String(on("show-qr").closest(".invite").classList.toggle("open")));
  else if (on("move-here")) evening.moveHere();
  else if (on("lift")) liftCurtain(on("lift").dataset.lift);
  else if (on("take")) {
    const name = document.querySelector("[data-guest-name]").value.trim();
    if (name) localStorage.setItem("name", name);
    send({ type: "take", seat: on("take").dataset.take, name: name || localStorage.getItem("name") || "" });
  }
});

// The curtain between people who share the device. A key or tap that was meant for the table before does not lift it.
const CURTAIN_HANGS = 600; // milliseconds
let curtainSince = 0;
function liftCurtain(seat) {
  if (performance.now() - curtainSince > CURTAIN_HANGS) send({ type: "lift", seat });
}
function curtainFalls() {
  if (stage.dataset.kind !== "curtain") return;
  curtainSince = performance.now();
  for (const sheet of document.querySelectorAll("[popover]:popover-open")) sheet.hidePopover();
  say("");
  document.querySelector("[data-lift]")?.focus();
}

// What the server cannot know when it draws: whether this browser can share, and the name from last time.
function adapt() {
  for (const button of document.querySelectorAll("[data-share-link][hidden]")) button.hidden = !navigator.share;
  const name = document.querySelector("[data-guest-name]");
  if (name && !name.dataset.filled) {
    name.dataset.filled = "1";
    name.value = localStorage.getItem("name") ?? "";
  }
}
new MutationObserver(adapt).observe(document.getElementById("stage"), { childList: true, subtree: true });

// What the browser keeps: its tables, for the first page, and the results of its games.
const MOST_TABLES = 12;
const MOST_GAMES = 500;

function store(what, one, same, most) {
  let all = [];
  try {
    all = JSON.parse(localStorage.getItem(what) ?? "[]");
  } catch {} // somebody else wrote there
  if (!Array.isArray(all)) all = [];
  localStorage.setItem(what, JSON.stringify([one, ...all.filter((other) => !same(other))].slice(0, most)));
}

function keepTable() {
  const name = stage.dataset.table;
  const key = location.hash.slice(1);
  if (key && !new URLSearchParams(location.search).has("game") && stage.dataset.kind && !["invite", "elsewhere"].includes(stage.dataset.kind)) {
    store("tables", { name, key }, (other) => other.name === name, MOST_TABLES);
  }
}

function keepGame() {
  const result = document.querySelector("[data-result]")?.dataset.result;
  if (!result) return;
  const game = { ...JSON.parse(result), at: Date.now() };
  if (game.id !== keepGame.last) store("games", game, (other) => other.id === game.id, MOST_GAMES);
  keepGame.last = game.id;
}

// A quick seat at a new table: it waits for somebody, and then begins with a bot in the free seat. A reload does not make
// it wait longer: the server says how long it has waited.
const QUICK_WAIT = 45;
function beginSoon() {
  if (!new URLSearchParams(location.search).has("quick") || stage.dataset.kind !== "gathering" || waited === null || beginSoon.timer) return;
  const left = Math.max(1, Math.ceil(QUICK_WAIT - waited));
  say(phrase(left === 1 ? "waiting-1" : "waiting", { left }));
  beginSoon.timer = setTimeout(() => {
    say("");
    if (stage.dataset.kind === "gathering") send({ type: "start" });
  }, left * 1000);
}

// A link from the first page leads to the review.
function reviewSoon() {
  if (stage.dataset.kind !== "over" || !new URLSearchParams(location.search).has("review")) return;
  history.replaceState(null, "", address() + location.hash);
  document.querySelector("[data-review]")?.click();
}

new MutationObserver(() => {
  curtainFalls();
  keepTable();
  keepGame();
  beginSoon();
  reviewSoon();
}).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-kind"] });

// This page's address, at a move of a replay or without one. (The static edition has the table's name behind the ?.)
function address(at) {
  const query = new URLSearchParams(location.search);
  query.delete("quick");
  query.delete("review");
  query.delete("eyes");
  if (at === undefined) query.delete("at");
  else query.set("at", at);
  return location.pathname + (String(query) && `?${query}`);
}

// The replay: it plays by itself, and its address is a link to the move.
const replay = { timer: 0, at: () => document.getElementById("replay")?.dataset };

const replaySpeed = () => localStorage.getItem("replay-speed") ?? "1200"; // milliseconds from move to move

function playReplay(on) {
  clearInterval(replay.timer);
  replay.timer = 0;
  if (on) {
    const step = () => {
      const { at, last } = replay.at() ?? {};
      if (at === undefined || +at >= +last) return playReplay(false);
      send({ type: "replay", at: +at + 1 });
    };
    replay.timer = setInterval(step, +replaySpeed());
    step();
  }
  showPlaying();
}

function showPlaying() {
  const button = document.getElementById("replay-play");
  if (!button) return;
  const deed = replay.timer ? "pause" : "play";
  if (button.getAttribute("aria-label") === phrase(deed)) return;
  button.setAttribute("aria-label", phrase(deed));
  const use = button.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${deed}`));
}

function followReplay() {
  const search = new URLSearchParams(location.search);
  const there = replay.at();
  if (there) {
    if (search.get("at") !== there.at) history.replaceState(null, "", address(there.at) + location.hash);
    followReplay.begun = true;
    document.getElementById("replay-speed").value = replaySpeed(); // each move draws it anew
    if (replay.timer && +there.at >= +there.last) playReplay(false);
    showPlaying();
  } else if (["over", "reveal", "gathering"].includes(stage.dataset.kind) && search.has("at")) {
    playReplay(false);
    if (followReplay.begun) history.replaceState(null, "", address() + location.hash);
    else if (/^\d{1,5}$/.test(search.get("at"))) send({ type: "replay", at: +search.get("at"), eyes: search.get("eyes") ?? "" });
    followReplay.begun = true;
  }
}
new MutationObserver(followReplay).observe(document.getElementById("stage"), { attributes: true, childList: true, subtree: true, attributeFilter: ["data-kind", "data-at", "aria-label"] });

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-replay-play], [data-copy-move], [data-copy-game]");
  if (!button) return;
  if (button.matches("[data-replay-play]")) return playReplay(!replay.timer);
  const to = new URL(button.dataset.copyMove ?? button.dataset.copyGame, location.href);
  to.searchParams.set("at", replay.at()?.at ?? 0);
  if (replay.at()?.eyes) to.searchParams.set("eyes", replay.at().eyes);
  const link = String(to);
  say((await copyText(link)) ? phrase("replay-copied") : link, 6000);
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-replay-speed]")) return;
  localStorage.setItem("replay-speed", target.value);
  if (replay.timer) playReplay(true);
});
