// Emotes, short lines and nudges: see rooms/chat.py. Everything said is shown as text, never as markup.
"use strict";

const talkSheet = document.getElementById("talk-sheet");
const talkLines = document.getElementById("talk-lines");
const BUBBLE = 4000; // milliseconds
const MOST_LINES = 60;
const muted = new Set(); // seats, until the page is left

function hearTalk({ lines, you, off, old }) {
  document.getElementById("talk-off").checked = off;
  document.getElementById("talk-note").textContent = off ? phrase("quiet-table") : you === "watch" ? phrase("onlookers") : "";
  for (const control of talkSheet.querySelectorAll("#talk-form *, [data-emote]")) control.disabled = off;
  for (const line of lines) {
    const silent = muted.has(line.seat);
    if (line.kind !== "nudge") addLine(line);
    else if (!silent) nudged(line.name);
    if (line.kind !== "nudge" && !silent && !old && line.seat !== you) showBubble(line);
  }
  talkLines.scrollTop = talkLines.scrollHeight;
}

function addLine({ seat, name, text }) {
  const line = document.createElement("p");
  line.dataset.seat = seat;
  const who = Object.assign(document.createElement("bdi"), { textContent: name });
  const said = document.createElement("span");
  const strong = document.createElement("strong");
  strong.append(who);
  said.append(strong, " ", Object.assign(document.createElement("bdi"), { textContent: text }));
  line.append(said);
  line.hidden = muted.has(seat);
  talkLines.append(line);
  while (talkLines.children.length > MOST_LINES) talkLines.firstChild.remove();
}

function showBubble({ seat, name, text }) {
  if (talkSheet.matches(":popover-open")) return;
  document.querySelector("[data-open=talk-sheet]")?.classList.add("unheard");
  const at = document.querySelector(`#village-${seat} h2, #seat-${seat} .named`);
  for (const earlier of document.querySelectorAll(`.bubble[data-seat="${seat}"]`)) earlier.remove();
  const bubble = Object.assign(document.createElement("p"), { className: "bubble", textContent: at ? text : `${name}: ${text}` });
  bubble.dataset.seat = seat;
  document.body.append(bubble);
  const box = at?.getBoundingClientRect() ?? { right: 8, top: 8 };
  bubble.style.left = `${Math.max(8, Math.min(box.right + 6, innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${Math.max(8, box.top)}px`;
  setTimeout(() => bubble.remove(), BUBBLE);
}

function nudged(name) {
  say(phrase("nudged", { name }), 6000);
  document.dispatchEvent(new CustomEvent("nudged", { detail: name }));
}

document.getElementById("talk-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = document.getElementById("talk-text");
  if (field.value.trim()) send({ type: "say", text: field.value });
  field.value = "";
});
talkSheet.addEventListener("click", ({ target }) => {
  const emote = target.closest("[data-emote]");
  if (emote) send({ type: "emote", text: emote.dataset.emote });
});
document.getElementById("talk-off").addEventListener("change", ({ target }) => send({ type: "quiet", off: target.checked }));
talkSheet.addEventListener("toggle", ({ newState }) => {
  if (newState !== "open") return;
  document.querySelector("[data-open=talk-sheet]")?.classList.remove("unheard");
});

// Who is at the table, and what may be done about a seat.
const DEEDS = {
  nudge: ({ seat }) => ({ type: "nudge", seat }),
  free: ({ seat }) => ({ type: "arrange", seat, bot: "" }),
  host: ({ seat }) => ({ type: "host", seat }),
};

function showPeople({ seats, host, take_over, hints }) {
  document.querySelector(".talk-off").hidden = !host;
  const list = document.getElementById("people");
  const had = list.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
  list.replaceChildren(...seats.map((one) => {
    const line = document.createElement("li");
    const words = document.createElement("p");
    const name = document.createElement("strong");
    name.append(Object.assign(document.createElement("bdi"), { textContent: one.name }));
    const marks = [one.yours && phrase("you"), one.host && phrase("host"), one.yours ? "" : one.state].filter(Boolean).join(", ");
    words.append(name, " ", Object.assign(document.createElement("span"), { className: "quiet", textContent: marks }));
    line.append(words, ...one.may.map((deed) => deedButton(deed, one)));
    if (one.yours && take_over) line.append(deedButton("host", one));
    if (one.talks) line.append(muteButton(one));
    return line;
  }));
  if (had) [...list.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === had)?.focus();
  const agree = document.querySelector(".agree");
  agree.hidden = !hints.asked;
  document.getElementById("agree").checked = hints.yours;
  document.getElementById("agreed").textContent = phrase("agreed", hints);
}

function deedButton(deed, one) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: phrase(one.yours ? "take-over" : `may-${deed}`) });
  button.setAttribute("aria-label", `${button.textContent}: ${one.name}`);
  button.onclick = () => send(DEEDS[deed](one));
  return button;
}

function muteButton({ seat, name }) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain" });
  const show = () => {
    button.textContent = phrase(muted.has(seat) ? "unmute" : "mute");
    button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  };
  button.onclick = () => {
    if (!muted.delete(seat)) muted.add(seat);
    for (const line of talkLines.children) line.hidden = muted.has(line.dataset.seat);
    show();
  };
  show();
  return button;
}

document.getElementById("agree").addEventListener("change", ({ target }) => send({ type: "agree", on: target.checked }));

// A hint: it comes as a line above the table, so the sheet makes room.
document.getElementById("ask-hint").addEventListener("click", () => {
  talkSheet.hidePopover();
  say(phrase("thinking"));
  send({ type: "hint" });
});
