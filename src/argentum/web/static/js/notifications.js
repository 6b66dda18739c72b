// Sounds, and desktop notifications while the page is hidden. Both are off by default.
import { findAll, get } from "./dom.js";
import { on } from "./events.js";
import { phrase } from "./phrases.js";
import * as store from "./store.js";

/** @type {Record<"turn" | "end" | "nudge", [pitch: number, delay: number][]>} */
const NOTES = { turn: [[523, 0], [784, 0.12]], end: [[392, 0], [494, 0.1], [587, 0.2]], nudge: [[660, 0], [660, 0.18]] }; // Hz, seconds
/** @type {AudioContext | undefined} */
let audio;

/** @param {string} name */
const isEnabled = (name) => store.get(name) === "yes";

/** @param {keyof NOTES} name */
function playSound(name) {
  if (!isEnabled("sounds") || !navigator.userActivation?.hasBeenActive) return; // browsers allow none before the first click
  audio ??= new AudioContext();
  for (const [pitch, delay] of NOTES[name]) playTone(audio, pitch, audio.currentTime + delay);
  document.body.dataset.sounded = name;
  navigator.vibrate?.(name === "end" ? [40, 60, 40] : 60);
}

/** @type {(context: AudioContext, pitch: number, start: number) => void} */
function playTone(context, pitch, start) {
  const tone = new OscillatorNode(context, { frequency: pitch, type: "sine" });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.12, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + 0.45);
}

const mayNotify = () => "Notification" in window && Notification.permission === "granted";

/** @param {string} text */
function notify(text) {
  if (!isEnabled("notifications") || !document.hidden || !mayNotify()) return;
  const icon = get(document, 'link[rel="icon"]', HTMLLinkElement).href;
  const notification = new Notification("Argentum", { body: text, tag: location.pathname, icon });
  notification.onclick = () => {
    focus();
    notification.close();
  };
}

on("turn-began", () => {
  playSound("turn");
  notify(phrase("your-turn"));
});
on("page-shown", ({ page, previousPage }) => {
  if (page === "round_end" && page !== previousPage) playSound("end");
});
on("nudged", ({ name }) => {
  playSound("nudge");
  notify(phrase("nudged", { name }));
});

for (const box of findAll(document, "[data-enable]", HTMLInputElement)) {
  const name = box.dataset.enable ?? "";
  box.checked = isEnabled(name) && (name !== "notifications" || mayNotify());
  box.addEventListener("change", async () => {
    if (box.checked && name === "notifications") box.checked = "Notification" in window && (await Notification.requestPermission()) === "granted";
    store.set(name, box.checked ? "yes" : "no");
    if (box.checked && name === "sounds") playSound("turn");
  });
}
