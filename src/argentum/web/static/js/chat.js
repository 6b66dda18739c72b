// Chat at the table (rooms/chat.py). What people write is shown as text, never as HTML.
/** @import { ChatLine, TalkMessage } from "../../script_types.ts" */
import { send } from "./connection.js";
import { byId, closest, create, find, findAll } from "./dom.js";
import { emit } from "./events.js";
import { phrase } from "./phrases.js";
import { showToast } from "./toast.js";

const BUBBLE_MS = 4000;
const MAX_LINES = 60;
const sheet = byId("chat-sheet");
const chatLines = byId("chat-lines");
const offSwitch = byId("chat-off", HTMLInputElement);
/** @type {Set<string>} */
const muted = new Set(); // seats, until the page is closed

/** @param {TalkMessage} message */
export function showChat({ lines, you, off, old }) {
  offSwitch.checked = off;
  byId("chat-note").textContent = off ? phrase("quiet-table") : you === "watch" ? phrase("onlookers") : "";
  for (const control of findAll(sheet, "#chat-form *, [data-emote]", HTMLButtonElement)) control.disabled = off;
  if (old) chatLines.replaceChildren(); // all lines that may still be read follow
  for (const line of lines) {
    const isSilent = muted.has(line.seat);
    if (line.kind !== "nudge") addChatLine(line);
    else if (!isSilent) showNudge(line.name);
    if (line.kind !== "nudge" && !isSilent && !old && line.seat !== you) showBubble(line);
  }
  chatLines.scrollTop = chatLines.scrollHeight;
}

/** @param {ChatLine} line */
function addChatLine({ seat, name, text }) {
  const speaker = create("strong", {}, create("bdi", { textContent: name }));
  const line = create("p", { hidden: muted.has(seat) }, create("span", {}, speaker, " ", create("bdi", { textContent: text })));
  line.dataset.seat = seat;
  chatLines.append(line);
  while (chatLines.children.length > MAX_LINES) chatLines.firstChild?.remove();
}

/** @param {ChatLine} line */
function showBubble({ seat, name, text }) {
  if (sheet.matches(":popover-open")) return;
  find(document, "[data-open=chat-sheet]")?.classList.add("unread");
  const anchor = find(document, `#village-${seat} h2, #seat-${seat} .named`);
  for (const earlier of findAll(document, `.bubble[data-seat="${seat}"]`)) earlier.remove();
  const bubble = create("p", { className: "bubble", textContent: anchor ? text : `${name}: ${text}` });
  bubble.dataset.seat = seat;
  document.body.append(bubble);
  const box = anchor?.getBoundingClientRect() ?? { right: 8, top: 8 };
  bubble.style.left = `${Math.max(8, Math.min(box.right + 6, innerWidth - bubble.offsetWidth - 8))}px`;
  bubble.style.top = `${Math.max(8, box.top)}px`;
  setTimeout(() => bubble.remove(), BUBBLE_MS);
}

/** @param {string} name */
function showNudge(name) {
  showToast(phrase("nudged", { name }), 6000);
  emit("nudged", { name });
}

/** @param {string} seat */
export const isMuted = (seat) => muted.has(seat);

/** @param {string} seat */
export function toggleMuted(seat) {
  if (!muted.delete(seat)) muted.add(seat);
  for (const line of findAll(chatLines, "p")) line.hidden = muted.has(line.dataset.seat ?? "");
}

byId("chat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = byId("chat-text", HTMLInputElement);
  if (field.value.trim()) send({ type: "say", text: field.value });
  field.value = "";
});
sheet.addEventListener("click", ({ target }) => {
  const emote = closest(target, "[data-emote]");
  if (emote) send({ type: "emote", text: emote.dataset.emote });
});
offSwitch.addEventListener("change", () => send({ type: "disable_chat", off: offSwitch.checked }));
sheet.addEventListener("toggle", (event) => {
  if (event instanceof ToggleEvent && event.newState === "open") find(document, "[data-open=chat-sheet]")?.classList.remove("unread");
});
