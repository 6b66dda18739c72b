// Preferences, which are stored in the browser, and controls whose values are sent to the server.
import { send } from "./connection.js";
import { findAll, onChange, onClick } from "./dom.js";
import { fillTemplate } from "./message_template.js";
import { constants } from "./phrases.js";
import { syncSelection } from "./selection.js";
import { stage } from "./stage.js";
import * as store from "./store.js";

const SLIDER_DELAY_MS = 60;

/** Send the pace of bots that the player prefers, if they have a seat. */
export function sendPace() {
  const pace = store.get("pace") ?? constants.defaultPace;
  for (const radio of findAll(document, "[data-pace]", HTMLInputElement)) radio.checked = radio.value === pace;
  if (location.hash.length > 1) send({ type: "pace", pace });
}

/**
 * Each preference is on unless it was switched off.
 * @param {string} name
 * @param {boolean} isOn
 */
function setPreference(name, isOn) {
  store.set(name, isOn ? "yes" : "no");
  syncPreferences();
  syncSelection(); // also shows or hides the guide
}

function syncPreferences() {
  for (const box of findAll(document, "[data-preference]", HTMLInputElement)) {
    box.checked = store.get(box.dataset.preference ?? "") !== "no";
  }
}
syncPreferences();

onChange("[data-preference]", (box) => {
  if (box instanceof HTMLInputElement) setPreference(box.dataset.preference ?? "", box.checked);
});
onClick("[data-leave-guide]", () => setPreference("guide", false));
onChange("[data-pace]", ({ value }) => {
  store.set("pace", value);
  sendPace();
});
onChange("[data-change]", ({ dataset, value }) => send(fillTemplate(dataset.change ?? "", value)));
onChange("#your-name, [data-own-name]", ({ value }) => store.set("name", value));

let sliderTimer = 0;
stage.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "range" || !target.dataset.change) return;
  const { dataset } = target;
  clearTimeout(sliderTimer);
  sliderTimer = setTimeout(() => send(fillTemplate(dataset.change ?? "", target.value)), SLIDER_DELAY_MS);
});
