// Emotes, short lines and nudges: see web/talk.py. Everything said is shown as text, never as markup.
"use strict";

const talkSheet = document.getElementById("talk-sheet");
const talkLines = document.getElementById("talk-lines");
const BUBBLE = 4000; // milliseconds
const MOST_LINES = 60;
const muted = new Set(); // seats, until the page is left

function hearTalk({ lines, you, off, old }) {
  document.getElementById("talk-off").checked = off;
  document.querySelector(".talk-off").hidden = you !== "A";
  document.getElementById("talk-note").textContent = off ? "The host has switched talking off." : you === "watch" ? "Only other onlookers read what you say." : "";
  for (const control of talkSheet.querySelectorAll("#talk-form *, [data-emote]")) control.disabled = off;
  for (const line of lines) {
    if (muted.has(line.seat)) continue;
    if (line.kind === "nudge") nudged(line.name);
    else {
      addLine(line, line.seat !== you);
      if (!old && line.seat !== you) showBubble(line);
    }
  }
  talkLines.scrollTop = talkLines.scrollHeight;
}

function addLine({ seat, name, text }, others) {
  const line = document.createElement("p");
  line.dataset.seat = seat;
  const who = Object.assign(document.createElement("bdi"), { textContent: name });
  const said = document.createElement("span");
  const strong = document.createElement("strong");
  strong.append(who);
  said.append(strong, " ", Object.assign(document.createElement("bdi"), { textContent: text }));
  line.append(said);
  if (others) {
    const mute = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Mute" });
    mute.setAttribute("aria-label", `Mute ${name}`);
    mute.onclick = () => {
      muted.add(seat);
      for (const other of [...talkLines.children]) if (other.dataset.seat === seat) other.remove();
      document.getElementById("talk-note").textContent = `${name} is muted until you reload the page.`;
    };
    line.append(mute);
  }
  talkLines.append(line);
  while (talkLines.children.length > MOST_LINES) talkLines.firstChild.remove();
}

function showBubble({ seat, name, text }) {
  if (talkSheet.matches(":popover-open")) return;
  document.querySelector("[data-open=talk-sheet]")?.classList.add("unheard");
  const at = document.querySelector(`#village-${seat} h2, #village-${seat} .name, #seat-${seat} .named, #village-${seat}`);
  const bubble = Object.assign(document.createElement("p"), { className: "bubble", textContent: at ? text : `${name}: ${text}` });
  document.body.append(bubble);
  const box = at?.getBoundingClientRect() ?? { right: 8, top: 8 };
  bubble.style.left = `${Math.max(8, Math.min(box.right + 6, innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${Math.max(8, box.top)}px`;
  setTimeout(() => bubble.remove(), BUBBLE);
}

function nudged(name) {
  say(`${name} asks you to play on.`, 6000);
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
  const seats = [...stage.querySelectorAll(".village:not(.yours)[id^=village-]")];
  document.getElementById("nudges").replaceChildren(...seats.map((village) => {
    const name = (village.querySelector("h2, .name")?.textContent ?? village.id.slice(-1)).trim();
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: `Nudge ${name}` });
    button.onclick = () => send({ type: "nudge", seat: village.id.slice(-1) });
    return button;
  }));
});

// A hint: it comes as a line above the table, so the sheet makes room.
document.getElementById("ask-hint").addEventListener("click", () => {
  talkSheet.hidePopover();
  say("Thinking …");
  send({ type: "hint" });
});
