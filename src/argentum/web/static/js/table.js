// A table in the browser. The server draws; this script shows what it sends, moves cards from where they were to where
// they are, and sends what is clicked. It knows no rules and keeps nothing but the cards selected just now.
"use strict";

const stage = document.getElementById("stage");
const help = document.getElementById("help");
const toast = document.getElementById("toast");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE = { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" };
const TURN = { duration: 220, easing: "ease-out" };

let socket = null;
let choice = null; // the number of what is asked
let retry = 400;
let closed = false; // by the server, for good
let deadline = 0;
let asked = null; // what was asked last
let waited = null; // seconds that a new table has waited for players
let byKeys = false; // the last thing pressed was a key
const announcer = Object.assign(document.createElement("p"), { className: "unseen", role: "status" });
document.body.prepend(announcer);
const picks = new Set();

// The line to the server.

// The static edition has a line of its own, which answers like a WebSocket (see argentum/browser).
globalThis.openLine ??= () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket/${stage.dataset.table}`);

function connect() {
  socket = openLine();
  socket.onopen = () => {
    retry = 400;
    judging = "";
    say("");
    const name = localStorage.getItem("name") || undefined; // for a seat where nobody has sat yet
    send({ type: "sit", table: stage.dataset.table, key: location.hash.slice(1), format: "html", name, ...evening.sitting() });
    sendPace();
  };
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = ({ code }) => {
    document.body.dataset.line = "lost";
    if (closed) return;
    if (code === 1008) return say(phrase("shut"));
    say(phrase("lost"));
    setTimeout(connect, retry);
    retry = Math.min(retry * 1.6, 8000);
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function sendPace() {
  const pace = localStorage.getItem("pace") ?? "even";
  for (const one of document.querySelectorAll("[data-pace]")) one.checked = one.value === pace;
  if (location.hash.length > 1) send({ type: "pace", pace });
}

function hear(message) {
  if (message.type === "page") show(message);
  else if (message.type === "record") download(message.name, message.text);
  else if (message.type === "reviewed") say("");
  else if (message.type === "table") location.assign(message.to);
  else if (message.type === "hint") say(message.words, 12000);
  else if (message.type === "picks") {
    judged = { ...message, which: `${choice} ${message.spots.join(" ")}` };
    reselect();
  }
  else if (message.type === "talk") hearTalk(message);
  else if (message.type === "seat") evening.takeSeat(message);
  else if (message.type === "people") showPeople(message);
  else if (message.code === "elsewhere" || message.code === "moved") {
    closed = true;
    evening.elsewhere(message.code);
  } else if (message.type === "error") {
    closed = closed || message.code === "no seat";
    if (closed) refuse(message.message);
    else if (message.code !== "stale") say(sentence(message.message), 6000);
  }
}

const sentence = (words) => words[0].toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");

let sayTimer = 0;
function say(words, for_ms = 0) {
  clearTimeout(sayTimer);
  toast.textContent = words;
  toast.hidden = !words;
  if (for_ms) sayTimer = setTimeout(() => say(""), for_ms);
}

function refuse(words) {
  const text = document.createElement("p");
  text.className = "refusal";
  text.textContent = sentence(words);
  const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, textContent: phrase("start-page") });
  stage.replaceChildren(text, home);
}

// Showing what the server drew.

function show(message) {
  choice = message.choice ?? null;
  waited = message.waited ?? null;
  document.body.dataset.line = "open";
  if (message.title) document.title = message.title;
  deadline = message.clock === undefined ? 0 : performance.now() + message.clock * 1000;
  const motions = message.motions ?? [];
  const before = motions.length || stage.dataset.kind === message.kind ? places() : new Map();
  const focus = document.activeElement?.closest("[data-place]")?.dataset.place;
  const hadFocus = document.activeElement !== document.body;
  const live = stage.dataset.kind === message.kind;
  const ends = stage.dataset.kind === "table" && message.kind === "reveal";
  const typing = document.activeElement?.matches("input") ?? false; // what somebody types or drags is left to them
  if (message.anew) pieces.length = 0;
  for (const [id, packed] of message.parts) {
    const html = packed.map(unpack).join("");
    if (id === "stage") {
      closeSheets();
      Idiomorph.morph(stage, html, { morphStyle: "innerHTML", restoreFocus: true });
    } else Idiomorph.morph(document.getElementById(id), html, { morphStyle: "outerHTML", restoreFocus: true, ignoreActiveValue: typing, callbacks: KEEP_OPEN });
  }
  stage.dataset.kind = message.kind;
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  if (message.kind !== "reveal") unveiled();
  if (message.kind !== "table") sink();
  if (!live) scrollTo(0, 0);
  reselect();
  tick();
  retell();
  if (hadFocus && document.activeElement === document.body) refocus(focus);
  const fresh = choice !== null && choice !== asked;
  if (fresh && asked === null) yourTurn();
  asked = choice;
  if (fresh) call();
  if (live && !still.matches) animate(before, motions);
  if (live) drawPaths(motions);
  if (live && message.look) look(message.look, fresh);
  if (ends && !still.matches) unveil();
  fair.look();
}

// Whoever is asked something new hears it; if they play by keys, the focus goes to it.
function call() {
  const title = document.getElementById("prompt-title");
  if (!title) return;
  announcer.textContent = `${title.textContent} ${stage.querySelector("#prompt .detail")?.textContent ?? ""}`;
  if (byKeys && !document.activeElement.closest("[popover], dialog, input")) refocus("");
}

// The last lines of the story, for a small page. Words that do not fit are cut, but not the first badge.
function retell() {
  const lines = [...stage.querySelectorAll("#log li:not(.since)")].slice(0, 3).map((line) => {
    const told = document.createElement("span");
    told.appendChild(document.createElement("span")).append(...line.cloneNode(true).childNodes);
    return told;
  });
  document.getElementById("told")?.replaceChildren(...lines);
  for (const told of lines) {
    const badge = told.querySelector(".chip");
    if (badge && badge.getBoundingClientRect().right > told.getBoundingClientRect().right) told.append(badge);
  }
  retrace();
}

// On a large page it stands beside the villages what others did since the reader's last turn: for each the last thing.
function retrace() {
  const panel = document.getElementById("since");
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
    const told = Object.assign(document.createElement("button"), { type: "button" });
    told.dataset.traces = seat;
    const words = document.createElement("span");
    words.append(...line.cloneNode(true).childNodes);
    const ring = Object.assign(document.createElement("i"), { textContent: initials["ABCD".indexOf(seat)] });
    ring.setAttribute("aria-hidden", "true");
    told.append(ring, words);
    item.append(told);
    return item;
  }));
}

// A line of it lights the traces of its seat while it has the mouse or the focus; the arrow goes through them all.
function light(seat) {
  for (const one of stage.querySelectorAll(".trace, [data-traces]")) one.classList.toggle("lit", (one.dataset.by ?? one.dataset.traces) === seat);
}
for (const [kind, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  document.addEventListener(kind, ({ target }) => {
    const line = target.closest?.("[data-traces]");
    if (line) light(on ? line.dataset.traces : "");
  });
}
function tellAgain() {
  const seats = [...stage.querySelectorAll("[data-traces]")].map((line) => line.dataset.traces);
  [...seats, ""].forEach((seat, nth) => setTimeout(() => light(seat), 1200 * nth));
}

// A part comes in pieces, which may be made of smaller ones; a number names one that came before on this connection.
const pieces = [];
function unpack(piece) {
  if (typeof piece === "number") return pieces[piece];
  const html = typeof piece === "string" ? piece : piece.map(unpack).join("");
  pieces.push(html);
  return html;
}

// An open dialog stays open while its inside changes.
const KEEP_OPEN = {
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDialogElement),
};

function refocus(place) {
  const sheet = openSheetNow();
  if (sheet) return sheet.querySelector("[autofocus]").focus();
  const same = place && stage.querySelector(`[data-place="${place}"] [data-place-button]`);
  const next = stage.querySelector(".legal [data-place-button], #prompt button:not([disabled]), [data-autofocus]");
  (same || next || stage).focus({ preventScroll: true });
}

function places() {
  const found = new Map();
  for (const spot of stage.querySelectorAll("[data-place]")) {
    const card = spot.querySelector("[data-face]") ?? spot;
    found.set(spot.dataset.place, { box: card.getBoundingClientRect(), face: card.dataset.face });
  }
  return found;
}

function animate(before, motions) {
  const moved = new Set();
  for (const [from, to] of motions) {
    const target = stage.querySelector(`[data-place="${to}"]`);
    const start = before.get(from);
    if (!target || !start || !start.box.width) continue;
    const card = target.querySelector("[data-face]") ?? target;
    const end = card.getBoundingClientRect();
    if (!end.width) continue;
    moved.add(to);
    const shift = `translate(${start.box.left - end.left}px, ${start.box.top - end.top}px)`;
    const scale = `scale(${start.box.width / end.width}, ${start.box.height / end.height})`;
    card.style.transformOrigin = "0 0";
    card.animate([{ transform: `${shift} ${scale}`, zIndex: 5 }, { transform: "none", zIndex: 5 }], MOVE)
      .finished.catch(() => {}).then(() => card.style.removeProperty("transform-origin"));
  }
  for (const spot of stage.querySelectorAll("[data-place]")) {
    const card = spot.querySelector("[data-face]");
    const was = before.get(spot.dataset.place)?.face;
    if (!card || !was || moved.has(spot.dataset.place)) continue;
    if (was.startsWith("back") !== card.dataset.face.startsWith("back")) {
      card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], TURN);
    }
  }
}

// A switch shows its path for a while: dotted, with a head at both ends.
function drawPaths(motions) {
  for (const [from, to] of motions) {
    if (from > to || !motions.some(([one, two]) => one === to && two === from)) continue;
    const table = stage.querySelector(".table");
    const [a, b] = [from, to].map((place) => stage.querySelector(`[data-place="${place}"] .card`)?.getBoundingClientRect());
    if (!a?.width || !b?.width) continue;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "path");
    svg.setAttribute("aria-hidden", "true");
    const origin = table.getBoundingClientRect();
    svg.setAttribute("viewBox", `${origin.left} ${origin.top} ${origin.width} ${origin.height}`);
    const [way, heads] = wayBetween(...(a.top <= b.top ? [a, b] : [b, a]));
    for (const [kind, d] of [["halo", way], ["way", way], ["heads", heads]]) {
      const line = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      line.setAttribute("class", kind);
      line.setAttribute("d", d);
    }
    table.append(svg);
    if (!still.matches) svg.animate([{ opacity: 0 }, { opacity: 1 }], MOVE);
    setTimeout(() => svg.remove(), 4000);
  }
}

// From base to base; but round the prompt, along the margin of the page, where that stands between the cards.
function wayBetween(upper, lower) {
  const [x, y, u] = [upper.left + upper.width / 2, upper.bottom, lower.left + lower.width / 2];
  const head = (at, tip, down) => `M${at - 5} ${tip - 8 * down}h10l-5 ${8 * down}z`;
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

// A round's end: the faces, what each card counts, the sums, and then who won. A click or a key shows all at once.
let veiled = 0;
function unveil() {
  unveiled();
  const faces = [...stage.querySelectorAll(".reveal [data-face]")];
  const fade = (one, delay) => one.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
  faces.forEach((card, nth) => {
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { ...TURN, delay: 90 * nth, fill: "backwards" });
  });
  let sums = 0;
  const each = (lines) => {
    for (const ledger of stage.querySelectorAll(".ledger")) {
      [...ledger.querySelectorAll(lines)].forEach((line, nth) => {
        fade(line, 90 * faces.length + 250 * nth);
        sums = Math.max(sums, 90 * faces.length + 250 * nth + 560);
      });
    }
  };
  each(".lines:not(.sum, .score) li");
  for (const line of stage.querySelectorAll(":is(.sum, .score) li, .after")) fade(line, sums);
  stage.classList.add("veiled");
  veiled = setTimeout(unveiled, sums + 560);
}
function unveiled() {
  clearTimeout(veiled);
  if (!stage.classList.contains("veiled")) return;
  stage.classList.remove("veiled");
  for (const motion of document.getAnimations()) motion.finish();
}
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, unveiled);

// The clock of the turn.

function tick() {
  for (const clock of stage.querySelectorAll("[data-clock]")) {
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    clock.hidden = !deadline;
    clock.textContent = phrase("time-left", { left });
  }
}
setInterval(tick, 500);

// Choosing cards and making moves.

function reselect() {
  const offered = new Set([...stage.querySelectorAll("[data-pick]")].map((card) => card.dataset.pick));
  for (const spot of picks) if (!offered.has(spot)) picks.delete(spot);
  for (const card of stage.querySelectorAll("[data-pick]")) {
    const on = picks.has(card.dataset.pick);
    card.setAttribute("aria-pressed", String(on));
    card.closest("[data-place]").classList.toggle("picked", on);
  }
  for (const button of stage.querySelectorAll("[data-template]")) {
    const fits = [...picks].filter((spot) => button.dataset.spots.split(" ").includes(spot));
    const enough = fits.length === picks.size && fits.length >= +button.dataset.least && fits.length <= +button.dataset.most;
    button.disabled = !enough;
    const deed = button.dataset.text;
    button.firstElementChild.textContent = fits.length > 1 && +button.dataset.most > 2 ? phrase("several", { deed, count: fits.length }) : deed;
  }
  check();
}

// The guide of a first game says of picked cards, before they are sent, what will come of it. The server judges that.
let judged = null; // the last judgement, and of which picks it is
let judging = ""; // the picks that it was last asked about
function check() {
  const guide = stage.querySelector("#guide:not([hidden])");
  const on = guide && localStorage.getItem("guide") !== "no";
  const set = stage.querySelector("[data-template^=exchange]");
  const place = on && guide.querySelector("[data-of-picks]");
  const picked = place && picks.size > 1 ? set.dataset.spots.split(" ").filter((spot) => picks.has(spot)) : [];
  const which = picked.length ? `${choice} ${picked.join(" ")}` : "";
  if (which && which !== judging) send({ type: "picks", spots: picked });
  judging = which;
  const said = which && judged?.which === which ? judged : null;
  const differ = said?.fits === "differ";
  stage.classList.toggle("guided", Boolean(on));
  stage.querySelector("#prompt")?.classList.toggle("unfit", differ);
  const again = stage.querySelector("[data-unpick]");
  if (again) again.hidden = !differ;
  set?.classList.toggle("main", !differ);
  if (differ) set.firstElementChild.textContent = place.dataset.anyway;
  if (on) teach(guide, said);
}

// What the guide says: of the picked cards, or else its lesson.
function teach(guide, said) {
  const title = guide.querySelector(".lesson b");
  title.textContent = said?.title ?? title.dataset.title;
  guide.classList.toggle("of-picks", said !== null);
  guide.querySelector("[data-lesson]").hidden = said !== null;
  const place = guide.querySelector("[data-of-picks]");
  if (place) {
    place.hidden = !said;
    place.querySelectorAll("span").forEach((span, nth) => { span.textContent = [said?.title, said?.words][nth] ?? ""; });
    const reckoning = guide.querySelector(".reckoning");
    reckoning.hidden = !said?.numbers;
    reckoning.firstElementChild.textContent = said?.numbers ?? "";
    reckoning.lastElementChild.textContent = said?.change ?? "";
  }
  const pair = guide.querySelector("[data-pair]");
  if (pair) pair.hidden = !said || said.fits === "match";
  const met = new Set((localStorage.getItem("lessons") ?? "").split(" ").filter(Boolean)).add(guide.querySelector(".dashes").dataset.topic);
  localStorage.setItem("lessons", [...met].join(" "));
  guide.querySelectorAll(".dashes i").forEach((dash, nth) => dash.classList.toggle("met", met.has(String(nth + 1))));
}

// What the guide means is ringed: the cards to pick, and the button to press.
function showMe(answer) {
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  const [verb, ...spots] = answer.split(" ");
  const like = [`[data-move="${answer}"]`, `[data-template="${verb} {}"]`, ...(verb === "call" ? ["[data-call]"] : []), ...spots.map((spot) => `[data-pick="${spot}"]`)];
  for (const one of stage.querySelectorAll(like.join(", "))) one.classList.add("advised");
}

// A call is asked for once more, unless that was switched off; a double tap cancels it.
function askOnce(on) {
  const confirm = stage.querySelector(".confirm");
  if (!confirm) return;
  if (on && localStorage.getItem("sure") === "no") return move("call");
  confirm.hidden = !on;
  const sure = confirm.querySelector("[data-move]");
  sure.disabled = on;
  if (on) setTimeout(() => { sure.disabled = false; if (byKeys) sure.focus(); }, 400);
  else stage.querySelector("[data-call]")?.focus();
}

function pick(spot) {
  const most = Math.max(...[...stage.querySelectorAll("[data-template]")]
    .filter((button) => button.dataset.spots.split(" ").includes(spot)).map((button) => +button.dataset.most));
  if (picks.has(spot)) picks.delete(spot);
  else {
    while (picks.size >= most) picks.delete(picks.values().next().value);
    picks.add(spot);
  }
  reselect();
}

function move(text) {
  picks.clear();
  reselect();
  hideHelp();
  send({ type: "move", choice, move: text, hold: true });
}

function compose(button) {
  const order = button.dataset.spots.split(" ").filter((spot) => picks.has(spot));
  move(button.dataset.template.replace("{}", order.join(" ")));
}

function filled(pattern, value) {
  return JSON.parse(pattern, (_, part) => (part === "$value" ? value : part));
}

document.addEventListener("click", (event) => {
  if (pressed) return void (pressed = false); // a long press was for help
  const on = (name) => event.target.closest(`[data-${name}]`);
  const send_ = on("send");
  const copy = on("copy-text");
  const open = on("open");
  if (open) return openSheet(document.getElementById(open.dataset.open));
  if (on("close")) return on("close").closest("dialog")?.close();
  if (copy) return copyLink(copy);
  if (on("again")) return unveil();
  if (on("tell-again")) return tellAgain();
  if (send_ && !send_.disabled) return send(filled(send_.dataset.send, ""));
  if (on("call")) return askOnce(true);
  if (on("not-yet")) return askOnce(false);
  if (on("unpick")) return picks.clear(), reselect();
  if (on("show-me")) return showMe(on("show-me").dataset.showMe);
  if (on("leave-guide")) return keep("guide", false);
  const rules = event.target.closest("#stage a[href], #help a[href]");
  if (rules?.getAttribute("href").split("#")[0] === stage.dataset.rules && !event.ctrlKey && !event.metaKey && document.getElementById("rules-sheet")) return event.preventDefault(), openRules(rules.hash);
  if (on("template")) return compose(on("template"));
  if (on("move")) return move(on("move").dataset.move);
  if (on("pick")) return pick(on("pick").dataset.pick);
  const explained = on("help");
  if (explained && explained.matches("button")) toggleHelp(explained);
});

// What the reader wants of this page, kept in the browser: all of it is wanted unless that was switched off.
function keep(what, wanted) {
  localStorage.setItem(what, wanted ? "yes" : "no");
  showKept();
  reselect();
}
function showKept() {
  for (const box of document.querySelectorAll("[data-keep]")) box.checked = localStorage.getItem(box.dataset.keep) !== "no";
}
showKept();
document.addEventListener("change", ({ target }) => {
  if (target.dataset.pace !== undefined) {
    localStorage.setItem("pace", target.value);
    sendPace();
  }
  if (target.dataset.keep) keep(target.dataset.keep, target.checked);
  if (target.dataset.change) send(filled(target.dataset.change, target.value));
  if (target.id === "your-name" || target.dataset.ownName !== undefined) localStorage.setItem("name", target.value);
});
let dragTimer = 0;
stage.addEventListener("input", ({ target }) => {
  if (target.type !== "range" || !target.dataset.change) return;
  clearTimeout(dragTimer);
  dragTimer = setTimeout(() => send(filled(target.dataset.change, target.value)), 60);
});

// Help on a resident: hover, long press, or the ? key.

let hoverTimer = 0;
let hovered = null; // what the mouse is on, since it last moved
let pressTimer = 0;
let pressed = false;
let helped = null;

// Help stands beside what it explains and covers nothing of it: to its right or left, below or above; if it can, where
// it leaves the buttons of the prompt free too.
function showHelp(near) {
  const page = document.querySelector(`template[data-resident="${near.dataset.help}"]`);
  if (!page) return;
  helped?.classList.remove("helped");
  helped = near;
  near.classList.add("helped");
  help.querySelector(".help-body").replaceChildren(page.content.cloneNode(true));
  help.style.maxHeight = "";
  help.showPopover();
  help.scrollTop = 0;
  const box = near.getBoundingClientRect();
  const { width, height } = help.getBoundingClientRect();
  const within = (at, length, room) => Math.max(8, Math.min(at, room - length - 8));
  const left = within(box.left + box.width / 2 - width / 2, width, innerWidth);
  const above = Math.min(height, box.top - 18);
  const below = Math.min(height, innerHeight - box.bottom - 18);
  const buttons = [...stage.querySelectorAll("#prompt .choices button")].map((button) => button.getBoundingClientRect());
  const tops = buttons.flatMap((one) => [one.bottom + 8, one.top - 8 - height]);
  const beside = [box.top, ...tops].map((at) => within(at, height, innerHeight));
  const ways = [
    ...beside.map((top) => ({ left: box.right + 12, top, height, fits: box.right + 12 + width < innerWidth - 8 })),
    ...beside.map((top) => ({ left: box.left - 12 - width, top, height, fits: box.left - 12 - width > 8 })),
    { left, top: box.bottom + 10, height: below, fits: below === height },
    { left, top: box.top - 10 - above, height: above, fits: above === height },
  ];
  const frees = (way) => buttons.every((one) => way.left >= one.right || way.left + width <= one.left || way.top >= one.bottom || way.top + way.height <= one.top);
  const fitting = ways.filter((way) => way.fits);
  const best = fitting.find(frees) ?? fitting[0] ?? ways.at(below >= above ? -2 : -1);
  help.style.maxHeight = `${best.height}px`;
  help.style.left = `${best.left}px`;
  help.style.top = `${best.top}px`;
}

function hideHelp() {
  helped?.classList.remove("helped");
  helped = null;
  if (help.matches(":popover-open")) help.hidePopover();
}

function toggleHelp(near) {
  if (helped === near) hideHelp();
  else showHelp(near);
}

// A mouse asks for help by coming to rest on something, not when the table changes beneath it.
document.addEventListener("pointermove", ({ target, pointerType }) => {
  if (pointerType !== "mouse") return;
  const near = target.closest?.("[data-help], #help") ?? null;
  if (near === hovered) return;
  hovered = near;
  clearTimeout(hoverTimer);
  if (near?.dataset.help && near !== helped) hoverTimer = setTimeout(() => showHelp(near), 550);
  else if (!near) hoverTimer = setTimeout(hideHelp, 350);
});
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  clearTimeout(hoverTimer);
  pressed = false;
  if (!target.closest("#help")) hideHelp();
  const near = target.closest("[data-help]");
  if (!near || pointerType === "mouse") return;
  pressTimer = setTimeout(() => {
    pressed = true;
    showHelp(near);
  }, 450);
});
for (const kind of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(kind, ({ movementX, movementY }) => {
    if (kind !== "pointermove" || Math.hypot(movementX, movementY) > 3) clearTimeout(pressTimer);
  });
}
document.addEventListener("contextmenu", (event) => {
  if (pressed || event.target.closest("[data-help]")) event.preventDefault();
});
help.addEventListener("toggle", ({ newState }) => newState === "closed" && hideHelp());

// The keyboard: arrows go from card to card, Enter chooses, ? explains, Escape closes.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { byKeys = kind === "keydown"; }, true);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio]), select")) return;
  pressed = false; // a key is no end of a long press
  if (event.key === "?" || event.key === "h") {
    const near = event.target.closest("[data-help]") ?? event.target.querySelector?.("[data-help]");
    if (near) toggleHelp(near);
  } else if (event.key === "Escape") {
    if (helped) hideHelp();
    else if (stage.querySelector(".confirm:not([hidden])")) askOnce(false);
  } else if (stage.dataset.kind === "table" && event.key === "r") openSheet(document.getElementById("cast-sheet"));
  else if (stage.dataset.kind === "table" && /^[1-9]$/.test(event.key)) {
    stage.querySelectorAll(".village.yours .row [data-place-button]")[event.key - 1]?.focus();
  } else if (shortcut(event.key)) event.preventDefault();
  else if (event.key in STEPS && stage.dataset.kind === "table" && !document.querySelector("dialog[open]")) {
    const legal = [...stage.querySelectorAll(".legal [data-place-button]")];
    const all = legal.length ? legal : [...stage.querySelectorAll("[data-place-button]")];
    const shown = all.filter((card) => card.getBoundingClientRect().width);
    if (!shown.length) return;
    const at = shown.indexOf(document.activeElement);
    shown[(at + STEPS[event.key] + shown.length + (at < 0 && STEPS[event.key] < 0 ? 1 : 0)) % shown.length].focus();
    event.preventDefault();
  }
});

// The key of a button presses it.
function shortcut(key) {
  const button = stage.querySelector(`#prompt [aria-keyshortcuts="${CSS.escape(key)}"]:not([disabled])`);
  if (!button || document.querySelector("dialog[open], [popover]:popover-open:not(#help)") || stage.querySelector(".confirm:not([hidden])")) return false;
  button.click();
  return true;
}

// Small things.

// The rules open in place, at a ruling or where they were left.
async function openRules(hash) {
  const sheet = document.getElementById("rules-sheet");
  const body = sheet.querySelector(".rules-body");
  hideHelp();
  if (!body.firstChild) {
    const page = new DOMParser().parseFromString(await (await fetch(stage.dataset.rules)).text(), "text/html");
    for (const one of page.querySelectorAll("main script, main [data-resident]")) one.remove();
    // Links within the page would put a ruling where this page's address has the key of the seat.
    for (const one of page.querySelectorAll("main a[href^='#']")) one.setAttribute("href", stage.dataset.rules + one.getAttribute("href"));
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
    say(phrase("link-copied"), 4000);
  } catch {
    say(link, 20000); // no clipboard without https: let it be copied by hand
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
