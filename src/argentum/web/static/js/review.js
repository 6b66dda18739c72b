// The review of a finished game. The server computes and draws it; here are its keys, and the arrows of the two moves.
"use strict";

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-review]")) return;
  say(phrase("reviewing"));
  send({ type: "review" });
});

// The arrow keys go from decision to decision, wherever the focus is; but not in a field, such as that of the talk.
document.addEventListener("keydown", (event) => {
  if (!document.getElementById("review") || event.target.matches?.("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
  const mark = event.target.closest?.("[data-mark]");
  const way = { ArrowLeft: "back", ArrowRight: "forward" }[event.key];
  if (!way && !(mark && (event.key === "Enter" || event.key === " "))) return;
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
  point();
}).observe(document.getElementById("stage"), { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-current"] });
addEventListener("resize", point);

// From the card in hand to the cards that each move is about: dashed for what was played, solid for what was better.
function point() {
  const row = document.querySelector(".yours-row.arrowed");
  for (const old of document.querySelectorAll(".yours-row .arrows")) if (old.parentElement !== row) old.remove();
  const hand = row?.querySelector(".in-hand .card");
  if (!hand) return;
  const svg = row.querySelector(".arrows") ?? row.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.setAttribute("class", "arrows");
  svg.setAttribute("aria-hidden", "true");
  const origin = row.getBoundingClientRect();
  const above = (card) => { const box = card.getBoundingClientRect(); return [box.left + box.width / 2 - origin.left, box.top - origin.top]; };
  const [x, y] = above(hand);
  const ways = [];
  for (const [kind, high, aside] of [["yours", 20, -7], ["better", 36, 7]]) {
    for (const card of row.querySelectorAll(`.by-${kind} .card`)) {
      const [u, v] = above(card);
      if (Math.abs(v - y) > 60) continue; // the row is broken in two
      const [from, to, top] = [x + aside, u + aside, Math.min(y, v) - high];
      const bend = Math.sign(to - from) * Math.min(10, Math.abs(to - from) / 2);
      ways.push(`<path class="${kind}" d="M${from} ${y - 6}V${top + 10}Q${from} ${top} ${from + bend} ${top}H${to - bend}Q${to} ${top} ${to} ${top + 10}V${v - 9}"/><path class="head" d="M${to - 5} ${v - 12}h10l-5 9z"/>`);
    }
  }
  const drawn = ways.join("");
  if (svg.dataset.drawn === drawn) return;
  svg.dataset.drawn = drawn;
  svg.innerHTML = drawn;
}
