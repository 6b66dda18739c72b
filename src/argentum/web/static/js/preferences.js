// Preferences, stored in the browser, and settings that are sent to the server.
"use strict";

function sendPace() {
  const pace = store.get("pace") ?? "normal";
  for (const radio of document.querySelectorAll("[data-pace]")) radio.checked = radio.value === pace;
  if (location.hash.length > 1) send({ type: "pace", pace });
}

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
