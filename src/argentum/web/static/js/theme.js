// Applies the stored theme before the first paint. Without a stored theme the device's setting applies.
"use strict";

function setTheme(theme) {
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  store.set("theme", theme);
}
setTheme(store.get("theme") ?? "");
addEventListener("DOMContentLoaded", () => {
  for (const radio of document.querySelectorAll("[data-theme-choice]")) {
    radio.checked = radio.value === (document.documentElement.dataset.theme ?? "");
    radio.addEventListener("change", () => setTheme(radio.value));
  }
});
