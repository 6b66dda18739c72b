// The reader's choice of night or dawn, before anything is drawn. Without a choice the device decides.
"use strict";

function chooseTheme(theme) {
  if (theme === "night" || theme === "dawn") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("theme", theme);
}
chooseTheme(localStorage.getItem("theme") ?? "");
addEventListener("DOMContentLoaded", () => {
  for (const choice of document.querySelectorAll("[data-theme-choice]")) {
    choice.checked = choice.value === (document.documentElement.dataset.theme ?? "");
    choice.addEventListener("change", () => chooseTheme(choice.value));
  }
});
