// Review page: keys, and arrows for the two moves of a decision. The server computes and renders the review.
"use strict";

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-review]")) return;
  showToast(phrase("reviewing"));
  send({ type: "review" });
});

// The arrow keys go from decision to decision, except in input fields such as the chat's.
document.addEventListener("keydown", (event) => {
  if (!document.getElementById("review") || event.target.matches?.("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
  const mark = event.target.closest?.("[data-mark]");
  const direction = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
  if (!direction && !(mark && (event.key === "Enter" || event.key === " "))) return;
  event.preventDefault();
  usingReviewKeys = true;
  if (direction) document.querySelector(`.review-position [data-turn=${direction}]:not([disabled])`)?.click();
  else mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});

// With keys, the focus follows the decision that is shown.
let usingReviewKeys = false;
document.addEventListener("pointerdown", () => { usingReviewKeys = false; });
new MutationObserver(() => {
  const shown = document.querySelector("[data-mark][aria-current]");
  if (usingReviewKeys && shown && document.activeElement !== shown) shown.focus();
  drawArrows();
}).observe(document.getElementById("stage"), { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-current"] });
addEventListener("resize", drawArrows);

// Arrows from the card in hand to the cards of each move: dashed for the move played, solid for the better one.
function drawArrows() {
  const row = document.querySelector(".yours-row.arrowed");
  for (const old of document.querySelectorAll(".yours-row .arrows")) if (old.parentElement !== row) old.remove();
  const hand = row?.querySelector(".in-hand .card");
  if (!hand) return;
  const svg = row.querySelector(".arrows") ?? row.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.setAttribute("class", "arrows");
  svg.setAttribute("aria-hidden", "true");
  const origin = row.getBoundingClientRect();
  const topCentre = (card) => { const box = card.getBoundingClientRect(); return [box.left + box.width / 2 - origin.left, box.top - origin.top]; };
  const [x, y] = topCentre(hand);
  const paths = [];
  for (const [name, height, offset] of [["yours", 20, -7], ["better", 36, 7]]) {
    for (const card of row.querySelectorAll(`.by-${name} .card`)) {
      const [u, v] = topCentre(card);
      if (Math.abs(v - y) > 60) continue; // the row wraps
      const [from, to, top] = [x + offset, u + offset, Math.min(y, v) - height];
      const bend = Math.sign(to - from) * Math.min(10, Math.abs(to - from) / 2);
      paths.push(`<path class="${name}" d="M${from} ${y - 6}V${top + 10}Q${from} ${top} ${from + bend} ${top}H${to - bend}Q${to} ${top} ${to} ${top + 10}V${v - 9}"/><path class="head" d="M${to - 5} ${v - 12}h10l-5 9z"/>`);
    }
  }
  const html = paths.join("");
  if (svg.dataset.drawn === html) return;
  svg.dataset.drawn = html;
  svg.innerHTML = html;
}

// Open the review if the page's URL asks for it.
function openLinkedReview() {
  if (stage.dataset.page !== "game_end" || !new URLSearchParams(location.search).has("review")) return;
  history.replaceState(null, "", pageAddress() + location.hash);
  document.querySelector("[data-review]")?.click();
}
