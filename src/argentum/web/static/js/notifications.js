// Sounds, and desktop notifications while the page is hidden. Both are off by default.
"use strict";

const NOTES = { turn: [[523, 0], [784, 0.12]], end: [[392, 0], [494, 0.1], [587, 0.2]], nudge: [[660, 0], [660, 0.18]] }; // Hz, seconds
let audio = null;

const isEnabled = (name) => store.get(name) === "yes";

function playSound(name) {
  if (!isEnabled("sounds") || !navigator.userActivation?.hasBeenActive) return; // browsers allow none before the first click
  audio ??= new AudioContext();
  for (const [pitch, delay] of NOTES[name]) {
    const tone = new OscillatorNode(audio, { frequency: pitch, type: "sine" });
    const gain = new GainNode(audio, { gain: 0 });
    const start = audio.currentTime + delay;
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

const mayNotify = () => "Notification" in window && Notification.permission === "granted";

function notify(text) {
  if (!isEnabled("notifications") || !document.hidden || !mayNotify()) return;
  const notification = new Notification("Argentum", { body: text, tag: location.pathname, icon: document.querySelector('link[rel="icon"]').href });
  notification.onclick = () => {
    focus();
    notification.close();
  };
}

// Called by table.js when the reader gets a choice after having none.
function onYourTurn() {
  playSound("turn");
  notify(phrase("your-turn"));
}

let lastPage = "";
new MutationObserver(() => {
  const { page } = document.getElementById("stage").dataset;
  if (page !== lastPage && page === "round_end") playSound("end");
  lastPage = page;
}).observe(document.getElementById("stage"), { attributes: true, attributeFilter: ["data-page"] });

document.addEventListener("nudged", ({ detail }) => {
  playSound("nudge");
  notify(phrase("nudged", { name: detail }));
});

for (const box of document.querySelectorAll("[data-enable]")) {
  const name = box.dataset.enable;
  box.checked = isEnabled(name) && (name !== "notifications" || mayNotify());
  box.addEventListener("change", async () => {
    if (box.checked && name === "notifications") box.checked = "Notification" in window && (await Notification.requestPermission()) === "granted";
    store.set(name, box.checked ? "yes" : "no");
    if (box.checked && name === "sounds") playSound("turn");
  });
}
