// The review of a finished game. The server computes and draws it; here are its keys.
"use strict";

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-review]")) return;
  say("Going through your game …");
  send({ type: "review" });
});

document.addEventListener("keydown", (event) => {
  const mark = event.target.closest?.("[data-mark]");
  if (!mark || event.ctrlKey || event.altKey || event.metaKey) return;
  const way = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
  if (!way && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  reviewKeys = true;
  if (way) document.querySelector(`.review-position [data-turn=${way}]:not([disabled])`)?.click();
  else mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});

// Whoever goes by keys stays on the line: the focus follows the decision that is shown.
let reviewKeys = false;
document.addEventListener("pointerdown", () => { reviewKeys = false; });
new MutationObserver(() => {
  const shown = document.querySelector("[data-mark][aria-current]");
  if (reviewKeys && shown && document.activeElement !== shown) shown.focus();
}).observe(document.getElementById("stage"), { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-current"] });
