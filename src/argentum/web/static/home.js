// The first page: remember the name from last time, and the theme button.
"use strict";
for (const field of document.querySelectorAll('input[name="name"]')) {
  field.value = field.value || localStorage.getItem("name") || "";
}
document.addEventListener("submit", ({ target }) => {
  const typed = document.querySelector('input[name="name"]')?.value ?? "";
  localStorage.setItem("name", typed);
  const own = target.querySelector('input[name="name"]');
  if (own) return;
  const hidden = Object.assign(document.createElement("input"), { type: "hidden", name: "name", value: typed });
  target.append(hidden);
});
