// Chat, and the list of people at the table (rooms/chat.py). What people write is shown as text, never as HTML.
"use strict";

const chatSheet = document.getElementById("chat-sheet");
const chatLines = document.getElementById("chat-lines");
const BUBBLE_MS = 4000;
const MAX_LINES = 60;
const muted = new Set(); // seats, until the page is closed

function showChat({ lines, you, off, old }) {
  document.getElementById("chat-off").checked = off;
  document.getElementById("chat-note").textContent = off ? phrase("quiet-table") : you === "watch" ? phrase("onlookers") : "";
  for (const control of chatSheet.querySelectorAll("#chat-form *, [data-emote]")) control.disabled = off;
  if (old) chatLines.replaceChildren(); // all lines that may still be read follow
  for (const line of lines) {
    const silent = muted.has(line.seat);
    if (line.kind !== "nudge") addChatLine(line);
    else if (!silent) showNudge(line.name);
    if (line.kind !== "nudge" && !silent && !old && line.seat !== you) showBubble(line);
  }
  chatLines.scrollTop = chatLines.scrollHeight;
}

function addChatLine({ seat, name, text }) {
  const line = document.createElement("p");
  line.dataset.seat = seat;
  const content = document.createElement("span");
  const speaker = document.createElement("strong");
  speaker.append(Object.assign(document.createElement("bdi"), { textContent: name }));
  content.append(speaker, " ", Object.assign(document.createElement("bdi"), { textContent: text }));
  line.append(content);
  line.hidden = muted.has(seat);
  chatLines.append(line);
  while (chatLines.children.length > MAX_LINES) chatLines.firstChild.remove();
}

function showBubble({ seat, name, text }) {
  if (chatSheet.matches(":popover-open")) return;
  document.querySelector("[data-open=chat-sheet]")?.classList.add("unread");
  const anchor = document.querySelector(`#village-${seat} h2, #seat-${seat} .named`);
  for (const earlier of document.querySelectorAll(`.bubble[data-seat="${seat}"]`)) earlier.remove();
  const bubble = Object.assign(document.createElement("p"), { className: "bubble", textContent: anchor ? text : `${name}: ${text}` });
  bubble.dataset.seat = seat;
  document.body.append(bubble);
  const box = anchor?.getBoundingClientRect() ?? { right: 8, top: 8 };
  bubble.style.left = `${Math.max(8, Math.min(box.right + 6, innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${Math.max(8, box.top)}px`;
  setTimeout(() => bubble.remove(), BUBBLE_MS);
}

function showNudge(name) {
  showToast(phrase("nudged", { name }), 6000);
  document.dispatchEvent(new CustomEvent("nudged", { detail: name }));
}

document.getElementById("chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = document.getElementById("chat-text");
  if (field.value.trim()) send({ type: "say", text: field.value });
  field.value = "";
});
chatSheet.addEventListener("click", ({ target }) => {
  const emote = target.closest("[data-emote]");
  if (emote) send({ type: "emote", text: emote.dataset.emote });
});
document.getElementById("chat-off").addEventListener("change", ({ target }) => send({ type: "disable_chat", off: target.checked }));
chatSheet.addEventListener("toggle", ({ newState }) => {
  if (newState !== "open") return;
  document.querySelector("[data-open=chat-sheet]")?.classList.remove("unread");
});

// Messages of the buttons beside a seat.
const SEAT_ACTIONS = {
  nudge: ({ seat }) => ({ type: "nudge", seat }),
  free: ({ seat }) => ({ type: "arrange", seat, bot: "" }),
  host: ({ seat }) => ({ type: "transfer_host", seat }),
};

function showPeople({ seats, host, take_over, hints }) {
  document.querySelector(".chat-off").hidden = !host;
  const list = document.getElementById("people");
  const focused = list.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
  list.replaceChildren(...seats.map((person) => {
    const line = document.createElement("li");
    const text = document.createElement("p");
    const name = document.createElement("strong");
    name.append(Object.assign(document.createElement("bdi"), { textContent: person.name }));
    const marks = [person.yours && phrase("you"), person.host && phrase("host"), person.yours ? "" : person.state].filter(Boolean).join(", ");
    text.append(name, " ", Object.assign(document.createElement("span"), { className: "quiet", textContent: marks }));
    line.append(text, ...person.may.map((action) => seatActionButton(action, person)));
    if (person.yours && take_over) line.append(seatActionButton("host", person));
    if (person.talks) line.append(muteButton(person));
    return line;
  }));
  if (focused) [...list.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === focused)?.focus();
  document.querySelector(".hint-consent").hidden = !hints.asked;
  document.getElementById("hint-consent").checked = hints.yours;
  document.getElementById("hint-consent-count").textContent = phrase("agreed", hints);
}

function seatActionButton(action, person) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: phrase(person.yours ? "take-over" : `may-${action}`) });
  button.setAttribute("aria-label", `${button.textContent}: ${person.name}`);
  button.onclick = () => send(SEAT_ACTIONS[action](person));
  return button;
}

function muteButton({ seat, name }) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain" });
  const update = () => {
    button.textContent = phrase(muted.has(seat) ? "unmute" : "mute");
    button.setAttribute("aria-label", `${button.textContent}: ${name}`);
  };
  button.onclick = () => {
    if (!muted.delete(seat)) muted.add(seat);
    for (const line of chatLines.children) line.hidden = muted.has(line.dataset.seat);
    update();
  };
  update();
  return button;
}

document.getElementById("hint-consent").addEventListener("change", ({ target }) => send({ type: "allow_hints", on: target.checked }));

// A hint is shown in a toast over the table, so close the sheet.
document.getElementById("ask-hint").addEventListener("click", () => {
  chatSheet.hidePopover();
  showToast(phrase("thinking"));
  send({ type: "hint" });
});
