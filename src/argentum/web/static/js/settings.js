// The settings of every page: the theme. Without a stored theme the device's setting applies.
import { findAll } from "./dom.js";
import * as store from "./store.js";

/** @param {string} theme */
function applyTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

const theme = store.get("theme") ?? "";
applyTheme(theme);
for (const radio of findAll(document, "[data-theme-choice]", HTMLInputElement)) {
  radio.checked = radio.value === theme;
  radio.addEventListener("change", () => {
    store.set("theme", radio.value);
    applyTheme(radio.value);
  });
}
