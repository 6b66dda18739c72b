// Table page: shows the HTML that the server sends, animates cards, and sends what is clicked. The rules are applied by
// the server; the only game state here is the current selection of cards.
"use strict";

const stage = document.getElementById("stage");
const help = document.getElementById("help");
const toast = document.getElementById("toast");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_ANIMATION = { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" };
const FLIP_ANIMATION = { duration: 220, easing: "ease-out" };

let socket = null;
let choiceNumber = null; // of the open choice; null if there is none
let retryDelay = 400;
let closedForGood = false; // closed by the server, so do not reconnect
let deadline = 0;
let lastChoice = null; // number of the previous choice
let lobbySeconds = null; // how long a new table has waited for players
let usingKeyboard = false; // whether the last input was a key
const liveRegion = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });
document.body.prepend(liveRegion);
const selection = new Set();

// Connection.

// The static edition defines its own (pyodide/static/worker_socket.js).
globalThis.openSocket ??= () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket/${stage.dataset.table}`);

function connect() {
  socket = openSocket();
  socket.onopen = () => {
    retryDelay = 400;
    previewOf = "";
    showToast("");
    const name = store.get("name") || undefined; // used if nobody has claimed the seat yet
    send({ type: "join", table: stage.dataset.table, key: location.hash.slice(1), format: "html", name, ...seat.joinFields() });
    sendPace();
  };
  socket.onmessage = ({ data }) => handleMessage(JSON.parse(data));
  socket.onclose = ({ code }) => {
    document.body.dataset.connection = "lost";
    if (closedForGood) return;
    if (code === 1008) return showToast(phrase("shut"));
    showToast(phrase("lost"));
    setTimeout(connect, retryDelay);
    retryDelay = Math.min(retryDelay * 1.6, 8000);
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function sendPace() {
  const pace = store.get("pace") ?? "normal";
  for (const radio of document.querySelectorAll("[data-pace]")) radio.checked = radio.value === pace;
  if (location.hash.length > 1) send({ type: "pace", pace });
}

function handleMessage(message) {
  if (message.type === "page") applyPage(message);
  else if (message.type === "record") download(message.name, message.text);
  else if (message.type === "reviewed") showToast("");
  else if (message.type === "table") location.assign(message.to);
  else if (message.type === "hint") showToast(message.words, 12000);
  else if (message.type === "picks") {
    preview = { ...message, selection: `${choiceNumber} ${message.spots.join(" ")}` };
    syncSelection();
  }
  else if (message.type === "talk") showChat(message);
  else if (message.type === "seat") seat.takeSeat(message);
  else if (message.type === "people") showPeople(message);
  else if (message.code === "elsewhere" || message.code === "moved") {
    closedForGood = true;
    seat.showSeatInUse(message.code);
  } else if (message.type === "error") {
    closedForGood = closedForGood || message.code === "no seat";
    if (closedForGood) showFatalError(message.message);
    else if (message.code !== "stale") showToast(sentence(message.message), 6000);
  }
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

let toastTimer = 0;
function showToast(text, durationMs = 0) {
  clearTimeout(toastTimer);
  toast.textContent = text;
  toast.hidden = !text;
  if (durationMs) toastTimer = setTimeout(() => showToast(""), durationMs);
}

function showFatalError(reason) {
  const text = document.createElement("p");
  text.className = "refusal";
  text.textContent = sentence(reason);
  const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, textContent: phrase("start-page") });
  stage.replaceChildren(text, home);
}

// Page updates.

function applyPage(message) {
  choiceNumber = message.choice ?? null;
  lobbySeconds = message.lobby_seconds ?? null;
  document.body.dataset.connection = "open";
  if (message.title) document.title = message.title;
  deadline = message.clock === undefined ? 0 : performance.now() + message.clock * 1000;
  const motions = message.motions ?? [];
  const before = motions.length || stage.dataset.page === message.page ? slotRects() : new Map();
  const focus = document.activeElement?.closest("[data-slot]")?.dataset.slot;
  const hadFocus = document.activeElement !== document.body;
  const samePage = stage.dataset.page === message.page;
  const roundEnded = stage.dataset.page === "table" && message.page === "round_end";
  const typing = document.activeElement?.matches("input") ?? false; // do not overwrite a field that is being edited
  if (message.reset) fragments.length = 0;
  for (const [id, packed] of message.parts) {
    const html = packed.map(decodeFragment).join("");
    if (id === "stage") {
      closeSheets();
      Idiomorph.morph(stage, html, { morphStyle: "innerHTML", restoreFocus: true });
    } else Idiomorph.morph(document.getElementById(id), html, { morphStyle: "outerHTML", restoreFocus: true, ignoreActiveValue: typing, callbacks: KEEP_DIALOG_OPEN });
  }
  stage.dataset.page = message.page;
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  if (message.page !== "round_end") finishRoundEnd();
  if (message.page !== "table") cancelLooks();
  if (!samePage) scrollTo(0, 0);
  syncSelection();
  updateClocks();
  showRecentLines();
  if (hadFocus && document.activeElement === document.body) restoreFocus(focus);
  const isNewChoice = choiceNumber !== null && choiceNumber !== lastChoice;
  if (isNewChoice && lastChoice === null) onYourTurn();
  lastChoice = choiceNumber;
  if (isNewChoice) announcePrompt();
  if (samePage && !reducedMotion.matches) animateMoves(before, motions);
  if (samePage) drawSwitchPaths(motions);
  if (samePage && message.looks) showLooks(message.looks, isNewChoice);
  if (roundEnded && !reducedMotion.matches) playRoundEnd();
  fairness.update();
}

// Announce a new prompt to screen readers, and focus its controls if the keyboard is in use.
function announcePrompt() {
  const title = document.getElementById("prompt-title");
  if (!title) return;
  liveRegion.textContent = `${title.textContent} ${stage.querySelector("#prompt .detail")?.textContent ?? ""}`;
  if (usingKeyboard && !document.activeElement.closest("[popover], dialog, input")) restoreFocus("");
}

// Copy the newest log lines to the panel of small pages. Text that does not fit is cut off, but the first badge stays
// visible.
function showRecentLines() {
  const lines = [...stage.querySelectorAll("#log li:not(.since)")].slice(0, 3).map((line) => {
    const copy = document.createElement("span");
    copy.appendChild(document.createElement("span")).append(...line.cloneNode(true).childNodes);
    return copy;
  });
  document.getElementById("recent-lines")?.replaceChildren(...lines);
  for (const line of lines) {
    const badge = line.querySelector(".chip");
    if (badge && badge.getBoundingClientRect().right > line.getBoundingClientRect().right) line.append(badge);
  }
  showSinceTurn();
}

// Show the last action of each other seat since the reader's last turn, on large pages.
function showSinceTurn() {
  const panel = document.getElementById("since-turn");
  if (!panel) return;
  const last = new Map();
  for (let line = stage.querySelector("#log .since")?.nextElementSibling; line && !line.matches(".before"); line = line.nextElementSibling) {
    const seat = line.dataset.by;
    if (seat && seat !== panel.dataset.you && !last.has(seat)) last.set(seat, line);
  }
  panel.hidden = !last.size;
  const initials = panel.dataset.initials.split(" ");
  panel.querySelector("ol").replaceChildren(...[...last].reverse().map(([seat, line]) => {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.dataset.actionsOf = seat;
    const text = document.createElement("span");
    text.append(...line.cloneNode(true).childNodes);
    const ring = Object.assign(document.createElement("i"), { textContent: initials[constants.seatLetters.indexOf(seat)] });
    ring.setAttribute("aria-hidden", "true");
    button.append(ring, text);
    item.append(button);
    return item;
  }));
}

// Hovering or focusing a line of that panel highlights the cards of the seat's actions; the arrow button cycles through all
// seats.
function highlightSeat(seat) {
  for (const element of stage.querySelectorAll(".recent-action, [data-actions-of]")) {
    element.classList.toggle("lit", (element.dataset.by ?? element.dataset.actionsOf) === seat);
  }
}
for (const [type, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  document.addEventListener(type, ({ target }) => {
    const line = target.closest?.("[data-actions-of]");
    if (line) highlightSeat(on ? line.dataset.actionsOf : "");
  });
}
function cycleHighlights() {
  const seats = [...stage.querySelectorAll("[data-actions-of]")].map((line) => line.dataset.actionsOf);
  [...seats, ""].forEach((seat, index) => setTimeout(() => highlightSeat(seat), 1200 * index));
}

// The HTML of a part is a list of fragments: strings, nested lists, and numbers of fragments sent before on this connection.
const fragments = [];
function decodeFragment(fragment) {
  if (typeof fragment === "number") return fragments[fragment];
  const html = typeof fragment === "string" ? fragment : fragment.map(decodeFragment).join("");
  fragments.push(html);
  return html;
}

// The server's HTML has no `open` attribute, so updates would close an open dialog.
const KEEP_DIALOG_OPEN = {
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDialogElement),
};

// Focus the open sheet, the card in a slot, or else the first control of the prompt.
function restoreFocus(slot) {
  const sheet = currentSheet();
  if (sheet) return sheet.querySelector("[autofocus]").focus();
  const same = slot && stage.querySelector(`[data-slot="${slot}"] [data-slot-button]`);
  const next = stage.querySelector(".legal [data-slot-button], #prompt button:not([disabled]), [data-autofocus]");
  (same || next || stage).focus({ preventScroll: true });
}

// Return the position and the face of the card in each slot.
function slotRects() {
  const rects = new Map();
  for (const spot of stage.querySelectorAll("[data-slot]")) {
    const card = spot.querySelector("[data-face]") ?? spot;
    rects.set(spot.dataset.slot, { box: card.getBoundingClientRect(), face: card.dataset.face });
  }
  return rects;
}

// Animate cards from their previous slots, and flip cards that were turned. `before` is an earlier result of `slotRects`.
function animateMoves(before, motions) {
  const moved = new Set();
  for (const [from, to] of motions) {
    const target = stage.querySelector(`[data-slot="${to}"]`);
    const start = before.get(from);
    if (!target || !start || !start.box.width) continue;
    const card = target.querySelector("[data-face]") ?? target;
    const end = card.getBoundingClientRect();
    if (!end.width) continue;
    moved.add(to);
    const shift = `translate(${start.box.left - end.left}px, ${start.box.top - end.top}px)`;
    const scale = `scale(${start.box.width / end.width}, ${start.box.height / end.height})`;
    card.style.transformOrigin = "0 0";
    card.animate([{ transform: `${shift} ${scale}`, zIndex: 5 }, { transform: "none", zIndex: 5 }], MOVE_ANIMATION)
      .finished.catch(() => {}).then(() => card.style.removeProperty("transform-origin"));
  }
  for (const spot of stage.querySelectorAll("[data-slot]")) {
    const card = spot.querySelector("[data-face]");
    const previous = before.get(spot.dataset.slot)?.face;
    if (!card || !previous || moved.has(spot.dataset.slot)) continue;
    if (previous.startsWith("back") !== card.dataset.face.startsWith("back")) {
      card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], FLIP_ANIMATION);
    }
  }
}

// When two cards are switched, draw a dotted path between them, with arrowheads at both ends, for four seconds.
function drawSwitchPaths(motions) {
  for (const [from, to] of motions) {
    if (from > to || !motions.some((motion) => motion[0] === to && motion[1] === from)) continue;
    const table = stage.querySelector(".table");
    const [a, b] = [from, to].map((slot) => stage.querySelector(`[data-slot="${slot}"] .card`)?.getBoundingClientRect());
    if (!a?.width || !b?.width) continue;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "path");
    svg.setAttribute("aria-hidden", "true");
    const origin = table.getBoundingClientRect();
    svg.setAttribute("viewBox", `${origin.left} ${origin.top} ${origin.width} ${origin.height}`);
    const [path, heads] = switchPath(...(a.top <= b.top ? [a, b] : [b, a]));
    for (const [name, d] of [["halo", path], ["line", path], ["heads", heads]]) {
      const line = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      line.setAttribute("class", name);
      line.setAttribute("d", d);
    }
    table.append(svg);
    if (!reducedMotion.matches) svg.animate([{ opacity: 0 }, { opacity: 1 }], MOVE_ANIMATION);
    setTimeout(() => svg.remove(), 4000);
  }
}

// Return the path between two switched cards and its arrowheads, as SVG path data. The path leads from the bottom of one
// card to the other, or along the margin of the page if the prompt lies between them.
function switchPath(upper, lower) {
  const [x, y, u] = [upper.left + upper.width / 2, upper.bottom, lower.left + lower.width / 2];
  const head = (x, tip, down) => `M${x - 5} ${tip - 8 * down}h10l-5 ${8 * down}z`;
  const prompt = document.getElementById("prompt").getBoundingClientRect();
  if (prompt.top < y || prompt.bottom > lower.bottom) {
    const low = Math.max(y, lower.bottom) + 24;
    return [`M${x} ${y + 8}C${x} ${low} ${u} ${low} ${u} ${lower.bottom + 8}`, head(x, y, -1) + head(u, lower.bottom, -1)];
  }
  const board = stage.querySelector(".scenery").getBoundingClientRect();
  const lane = x < board.left + board.width * .4 ? board.left + 9 : board.right - 9;
  const [out, back, top] = [Math.sign(lane - x) * 6, Math.sign(u - lane) * 6, lower.top - 14];
  const leave = `M${x} ${y + 6}Q${x} ${y + 12} ${x + out} ${y + 12}H${lane - out}Q${lane} ${y + 12} ${lane} ${y + 18}`;
  const arrive = `V${top - 6}Q${lane} ${top} ${lane + back} ${top}H${u - back}Q${u} ${top} ${u} ${top + 6}`;
  return [leave + arrive, head(x, y, -1) + head(u, lower.top, 1)];
}

// Animate the end of a round: faces, points of each card, sums, then the winner. A click or key skips to the end.
let roundEndTimer = 0;
function playRoundEnd() {
  finishRoundEnd();
  const faces = [...stage.querySelectorAll(".round-end [data-face]")];
  const fade = (element, delay) => element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
  faces.forEach((card, index) => {
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { ...FLIP_ANIMATION, delay: 90 * index, fill: "backwards" });
  });
  let sumsAt = 0; // milliseconds
  const fadeLines = (selector) => {
    for (const ledger of stage.querySelectorAll(".ledger")) {
      [...ledger.querySelectorAll(selector)].forEach((line, index) => {
        fade(line, 90 * faces.length + 250 * index);
        sumsAt = Math.max(sumsAt, 90 * faces.length + 250 * index + 560);
      });
    }
  };
  fadeLines(".lines:not(.sum, .score) li");
  for (const line of stage.querySelectorAll(":is(.sum, .score) li, .after")) fade(line, sumsAt);
  stage.classList.add("animating");
  roundEndTimer = setTimeout(finishRoundEnd, sumsAt + 560);
}
function finishRoundEnd() {
  clearTimeout(roundEndTimer);
  if (!stage.classList.contains("animating")) return;
  stage.classList.remove("animating");
  for (const motion of document.getAnimations()) motion.finish();
}
for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, finishRoundEnd);

// Turn clocks.

function updateClocks() {
  for (const clock of stage.querySelectorAll("[data-clock]")) {
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    clock.hidden = !deadline;
    clock.textContent = phrase("time-left", { left });
  }
}
setInterval(updateClocks, 500);

// Selecting cards and sending moves.

function syncSelection() {
  const offered = new Set([...stage.querySelectorAll("[data-select]")].map((card) => card.dataset.select));
  for (const spot of selection) if (!offered.has(spot)) selection.delete(spot);
  for (const card of stage.querySelectorAll("[data-select]")) {
    const on = selection.has(card.dataset.select);
    card.setAttribute("aria-pressed", String(on));
    card.closest("[data-slot]").classList.toggle("selected", on);
  }
  for (const button of stage.querySelectorAll("[data-template]")) {
    const matching = [...selection].filter((spot) => button.dataset.spots.split(" ").includes(spot));
    const enough = matching.length === selection.size && matching.length >= +button.dataset.minCards && matching.length <= +button.dataset.maxCards;
    button.disabled = !enough;
    const label = button.dataset.text;
    button.firstElementChild.textContent = matching.length > 1 && +button.dataset.maxCards > 2 ? phrase("several", { action: label, count: matching.length }) : label;
  }
  requestPreview();
}

// In a first game the guide previews an exchange of the selected cards before it is sent. The server evaluates it.
let preview = null; // the server's last answer, with its choice and cards in `selection`
let previewOf = ""; // the choice and cards last asked about
function requestPreview() {
  const guide = stage.querySelector("#guide:not([hidden])");
  const on = guide && store.get("guide") !== "no";
  const exchange = stage.querySelector("[data-template^=exchange]");
  const previewElement = on && guide.querySelector("[data-exchange-preview]");
  const selected = previewElement && selection.size > 1 ? exchange.dataset.spots.split(" ").filter((spot) => selection.has(spot)) : [];
  const wanted = selected.length ? `${choiceNumber} ${selected.join(" ")}` : "";
  if (wanted && wanted !== previewOf) send({ type: "preview_exchange", spots: selected });
  previewOf = wanted;
  const shown = wanted && preview?.selection === wanted ? preview : null;
  const differ = shown?.fits === "differ";
  stage.classList.toggle("guided", Boolean(on));
  stage.querySelector("#prompt")?.classList.toggle("mismatch", differ);
  const clearButton = stage.querySelector("[data-clear-selection]");
  if (clearButton) clearButton.hidden = !differ;
  exchange?.classList.toggle("main", !differ);
  if (differ) exchange.firstElementChild.textContent = previewElement.dataset.anyway;
  if (on) showTip(guide, shown);
}

// Show the preview of the selected cards, or else the guide's tip.
function showTip(guide, shown) {
  const title = guide.querySelector(".tip b");
  title.textContent = shown?.title ?? title.dataset.title;
  guide.classList.toggle("exchange-preview", shown !== null);
  guide.querySelector("[data-tip]").hidden = shown !== null;
  const previewElement = guide.querySelector("[data-exchange-preview]");
  if (previewElement) {
    previewElement.hidden = !shown;
    previewElement.querySelectorAll("span").forEach((span, index) => { span.textContent = [shown?.title, shown?.words][index] ?? ""; });
    const points = guide.querySelector(".preview-points");
    points.hidden = !shown?.numbers;
    points.firstElementChild.textContent = shown?.numbers ?? "";
    points.lastElementChild.textContent = shown?.change ?? "";
  }
  const example = guide.querySelector("[data-example]");
  if (example) example.hidden = !shown || shown.fits === "match";
  const seen = new Set((store.get("lessons") ?? "").split(" ").filter(Boolean)).add(guide.querySelector(".dashes").dataset.topic);
  store.set("lessons", [...seen].join(" "));
  guide.querySelectorAll(".dashes i").forEach((dash, index) => dash.classList.toggle("seen", seen.has(String(index + 1))));
}

// Outline the cards to select and the button to press for a move.
function highlightAdvice(move) {
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  const [verb, ...spots] = move.split(" ");
  const selectors = [`[data-move="${move}"]`, `[data-template="${verb} {}"]`, ...(verb === "call" ? ["[data-call]"] : []), ...spots.map((spot) => `[data-select="${spot}"]`)];
  for (const element of stage.querySelectorAll(selectors.join(", "))) element.classList.add("advised");
}

// Show or hide the confirmation of a call, unless it is switched off. Its button is enabled after a moment, so that a
// double tap does not confirm.
function confirmCall(on) {
  const confirm = stage.querySelector(".confirm");
  if (!confirm) return;
  if (on && store.get("confirm_call") === "no") return sendMove("call");
  confirm.hidden = !on;
  const button = confirm.querySelector("[data-move]");
  button.disabled = on;
  if (on) setTimeout(() => { button.disabled = false; if (usingKeyboard) button.focus(); }, 400);
  else stage.querySelector("[data-call]")?.focus();
}

function toggleCard(spot) {
  const limit = Math.max(...[...stage.querySelectorAll("[data-template]")]
    .filter((button) => button.dataset.spots.split(" ").includes(spot)).map((button) => +button.dataset.maxCards));
  if (selection.has(spot)) selection.delete(spot);
  else {
    while (selection.size >= limit) selection.delete(selection.values().next().value);
    selection.add(spot);
  }
  syncSelection();
}

function sendMove(text) {
  selection.clear();
  syncSelection();
  hideHelp();
  send({ type: "move", choice: choiceNumber, move: text, hold: true });
}

function sendSelection(button) {
  const order = button.dataset.spots.split(" ").filter((spot) => selection.has(spot));
  sendMove(button.dataset.template.replace("{}", order.join(" ")));
}

// Parse a message from an attribute, with `value` in place of "$value".
function fillTemplate(pattern, value) {
  return JSON.parse(pattern, (_, part) => (part === "$value" ? value : part));
}

document.addEventListener("click", (event) => {
  if (longPressed) return void (longPressed = false); // the click that ends a long press on a card with help
  const clicked = (name) => event.target.closest(`[data-${name}]`);
  const sender = clicked("send");
  const copy = clicked("copy-text");
  const open = clicked("open");
  if (open) return openSheet(document.getElementById(open.dataset.open));
  if (clicked("close")) return clicked("close").closest("dialog")?.close();
  if (copy) return copyLink(copy);
  if (clicked("replay-round-end")) return playRoundEnd();
  if (clicked("cycle-actions")) return cycleHighlights();
  if (sender && !sender.disabled) return send(fillTemplate(sender.dataset.send, ""));
  if (clicked("call")) return confirmCall(true);
  if (clicked("cancel-call")) return confirmCall(false);
  if (clicked("clear-selection")) return selection.clear(), syncSelection();
  if (clicked("show-me")) return highlightAdvice(clicked("show-me").dataset.showMe);
  if (clicked("leave-guide")) return setPreference("guide", false);
  const rules = event.target.closest("#stage a[href], #help a[href]");
  if (rules?.getAttribute("href").split("#")[0] === stage.dataset.rules && !event.ctrlKey && !event.metaKey && document.getElementById("rules-sheet")) return event.preventDefault(), openRules(rules.hash);
  if (clicked("template")) return sendSelection(clicked("template"));
  if (clicked("move")) return sendMove(clicked("move").dataset.move);
  if (clicked("select")) return toggleCard(clicked("select").dataset.select);
  const explained = clicked("help");
  if (explained && explained.matches("button")) toggleHelp(explained);
});

// Preferences, stored in the browser; each is on unless it was switched off.
function setPreference(name, on) {
  store.set(name, on ? "yes" : "no");
  syncPreferences();
  syncSelection();
}
function syncPreferences() {
  for (const box of document.querySelectorAll("[data-preference]")) box.checked = store.get(box.dataset.preference) !== "no";
}
syncPreferences();
document.addEventListener("change", ({ target }) => {
  if (target.dataset.pace !== undefined) {
    store.set("pace", target.value);
    sendPace();
  }
  if (target.dataset.preference) setPreference(target.dataset.preference, target.checked);
  if (target.dataset.change) send(fillTemplate(target.dataset.change, target.value));
  if (target.id === "your-name" || target.dataset.ownName !== undefined) store.set("name", target.value);
});
let dragTimer = 0;
stage.addEventListener("input", ({ target }) => {
  if (target.type !== "range" || !target.dataset.change) return;
  clearTimeout(dragTimer);
  dragTimer = setTimeout(() => send(fillTemplate(target.dataset.change, target.value)), 60);
});

// Help on a resident: hover, long press, or the ? key.

let hoverTimer = 0;
let hoverTarget = null; // the element with help under the mouse
let pressTimer = 0;
let longPressed = false;
let helpTarget = null;

// Show help right of, left of, below or above its element, if possible without covering the prompt's buttons.
function showHelp(target) {
  const template = document.querySelector(`template[data-resident="${target.dataset.help}"]`);
  if (!template) return;
  helpTarget?.classList.remove("helped");
  helpTarget = target;
  target.classList.add("helped");
  help.querySelector(".help-body").replaceChildren(template.content.cloneNode(true));
  help.style.maxHeight = "";
  help.showPopover();
  help.scrollTop = 0;
  const box = target.getBoundingClientRect();
  const { width, height } = help.getBoundingClientRect();
  const clamp = (start, length, space) => Math.max(8, Math.min(start, space - length - 8));
  const left = clamp(box.left + box.width / 2 - width / 2, width, innerWidth);
  const above = Math.min(height, box.top - 18);
  const below = Math.min(height, innerHeight - box.bottom - 18);
  const buttons = [...stage.querySelectorAll("#prompt .choices button")].map((button) => button.getBoundingClientRect());
  const clearTops = buttons.flatMap((button) => [button.bottom + 8, button.top - 8 - height]);
  const tops = [box.top, ...clearTops].map((top) => clamp(top, height, innerHeight));
  const positions = [
    ...tops.map((top) => ({ left: box.right + 12, top, height, fits: box.right + 12 + width < innerWidth - 8 })),
    ...tops.map((top) => ({ left: box.left - 12 - width, top, height, fits: box.left - 12 - width > 8 })),
    { left, top: box.bottom + 10, height: below, fits: below === height },
    { left, top: box.top - 10 - above, height: above, fits: above === height },
  ];
  const coversNoButton = ({ left, top, height }) => buttons.every((button) => left >= button.right || left + width <= button.left || top >= button.bottom || top + height <= button.top);
  const fitting = positions.filter((position) => position.fits);
  const best = fitting.find(coversNoButton) ?? fitting[0] ?? positions.at(below >= above ? -2 : -1);
  help.style.maxHeight = `${best.height}px`;
  help.style.left = `${best.left}px`;
  help.style.top = `${best.top}px`;
}

function hideHelp() {
  helpTarget?.classList.remove("helped");
  helpTarget = null;
  if (help.matches(":popover-open")) help.hidePopover();
}

function toggleHelp(target) {
  if (helpTarget === target) hideHelp();
  else showHelp(target);
}

// Help opens when the mouse moves onto an element and stays there, not when an update moves the element under the mouse.
document.addEventListener("pointermove", ({ target, pointerType }) => {
  if (pointerType !== "mouse") return;
  const hovered = target.closest?.("[data-help], #help") ?? null;
  if (hovered === hoverTarget) return;
  hoverTarget = hovered;
  clearTimeout(hoverTimer);
  if (hovered?.dataset.help && hovered !== helpTarget) hoverTimer = setTimeout(() => showHelp(hovered), 550);
  else if (!hovered) hoverTimer = setTimeout(hideHelp, 350);
});
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  clearTimeout(hoverTimer);
  longPressed = false;
  if (!target.closest("#help")) hideHelp();
  const explained = target.closest("[data-help]");
  if (!explained || pointerType === "mouse") return;
  pressTimer = setTimeout(() => {
    longPressed = true;
    showHelp(explained);
  }, 450);
});
for (const type of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(type, ({ movementX, movementY }) => {
    if (type !== "pointermove" || Math.hypot(movementX, movementY) > 3) clearTimeout(pressTimer);
  });
}
document.addEventListener("contextmenu", (event) => {
  if (longPressed || event.target.closest("[data-help]")) event.preventDefault();
});
help.addEventListener("toggle", ({ newState }) => newState === "closed" && hideHelp());

// Keyboard: arrows move between cards, Enter chooses, ? shows help, Escape closes.

const ARROW_STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, () => { usingKeyboard = type === "keydown"; }, true);
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

// Sheets and downloads.

// Open the rules over the table, at a ruling or at the last position.
async function openRules(hash) {
  const sheet = document.getElementById("rules-sheet");
  const body = sheet.querySelector(".rules-body");
  hideHelp();
  if (!body.firstChild) {
    const page = new DOMParser().parseFromString(await (await fetch(stage.dataset.rules)).text(), "text/html");
    for (const element of page.querySelectorAll("main script, main [data-resident]")) element.remove();
    // A link to a fragment would replace the seat's key in this page's URL.
    for (const link of page.querySelectorAll("main a[href^='#']")) link.setAttribute("href", stage.dataset.rules + link.getAttribute("href"));
    body.replaceChildren(...page.querySelector("main").childNodes);
  }
  if (!sheet.matches(":popover-open")) sheet.showPopover();
  if (hash) body.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`)?.scrollIntoView();
}

function openSheet(sheet) {
  if (sheet instanceof HTMLDialogElement) sheet.showModal();
  else sheet?.togglePopover();
}

function closeSheets() {
  for (const sheet of stage.querySelectorAll("dialog[open]")) sheet.close();
  hideHelp();
}

async function copyLink(button) {
  const link = new URL(button.dataset.copyText, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    showToast(phrase("link-copied"), 4000);
  } catch {
    showToast(link, 20000); // without https there is no clipboard, so show the link
  }
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

addEventListener("hashchange", () => location.reload());
connect();
