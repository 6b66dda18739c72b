// A few quiet sounds, made here, and a notice when it is your turn and the page is hidden. Both are off until asked for.
"use strict";

const NOTES = { turn: [[523, 0], [784, 0.12]], end: [[392, 0], [494, 0.1], [587, 0.2]], nudge: [[660, 0], [660, 0.18]] };
let audio = null;

const wants = (what) => localStorage.getItem(what) === "on";

function sound(name) {
  if (!wants("sounds") || !navigator.userActivation?.hasBeenActive) return; // browsers allow none before the first click
  audio ??= new AudioContext();
  for (const [pitch, after] of NOTES[name]) {
    const tone = new OscillatorNode(audio, { frequency: pitch, type: "sine" });
    const gain = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + after;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.12, start + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.45);
  }
  document.body.dataset.sounded = name;
  navigator.vibrate?.(name === "end" ? [40, 60, 40] : 60);
}

function notice(words) {
  if (!wants("notices") || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  const note = new Notification("Argentum", { body: words, tag: location.pathname, icon: document.querySelector('link[rel="icon"]').href });
  note.onclick = () => {
    focus();
    note.close();
  };
}

// table.js says when the reader is asked something and was not before.
function yourTurn() {
  sound("turn");
  notice(phrase("your-turn"));
}

let lastKind = "";
new MutationObserver(() => {
  const kind = document.getElementById("stage").dataset.kind;
  if (kind !== lastKind && kind === "reveal") sound("end");
  lastKind = kind;
}).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-kind"] });

document.addEventListener("nudged", ({ detail }) => {
  sound("nudge");
  notice(phrase("nudged", { name: detail }));
});

for (const box of document.querySelectorAll("[data-want]")) {
  const what = box.dataset.want;
  box.checked = wants(what) && (what !== "notices" || ("Notification" in window && Notification.permission === "granted"));
  box.addEventListener("change", async () => {
    if (box.checked && what === "notices") box.checked = "Notification" in window && (await Notification.requestPermission()) === "granted";
    localStorage.setItem(what, box.checked ? "on" : "off");
    if (box.checked && what === "sounds") sound("turn");
  });
}
