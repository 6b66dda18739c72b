// Review page: keys, and arrows for the two moves of a decision. The server computes and renders the review.
import { pageAddress } from "./address.js";
import { arrow } from "./arrows.js";
import { send } from "./connection.js";
import { closest, find, findAll, onClick } from "./dom.js";
import { on } from "./events.js";
import { phrase } from "./phrases.js";
import { showToast } from "./toast.js";

/** @type {Record<string, string>} */
const DIRECTIONS = { ArrowLeft: "back", ArrowRight: "forward" };
let usingReviewKeys = false; // then the focus follows the decision that is shown

onClick("[data-review]", requestReview);

function requestReview() {
  showToast(phrase("reviewing"));
  send({ type: "review" });
}

// The arrow keys go from decision to decision, except in input fields such as the chat's.
document.addEventListener("keydown", (event) => {
  if (!document.getElementById("review") || closest(event.target, "input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
  const mark = closest(event.target, "[data-mark]");
  const direction = DIRECTIONS[event.key];
  if (!direction && !(mark && (event.key === "Enter" || event.key === " "))) return;
  event.preventDefault();
  usingReviewKeys = true;
  if (direction) find(document, `.review-position [data-turn=${direction}]:not([disabled])`)?.click();
  else mark?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
});
document.addEventListener("pointerdown", () => {
  usingReviewKeys = false;
});

on("page-shown", ({ page }) => {
  const shown = find(document, "[data-mark][aria-current]");
  if (usingReviewKeys && shown && document.activeElement !== shown) shown.focus();
  drawArrows();
  if (page === "game_end") openLinkedReview();
});
addEventListener("resize", drawArrows);

/** Open the review if the page's URL asks for it. */
function openLinkedReview() {
  if (!new URLSearchParams(location.search).has("review")) return;
  history.replaceState(null, "", pageAddress(location) + location.hash);
  if (find(document, "[data-review]")) requestReview();
}

/** Draw arrows from the card in hand to the cards of each move: dashed for the move played, solid for the better one. */
function drawArrows() {
  const row = find(document, ".yours-row.arrowed");
  for (const old of findAll(document, ".yours-row .arrows", SVGElement)) if (old.parentElement !== row) old.remove();
  const hand = row && find(row, ".in-hand .card");
  if (!hand) return;
  const svg = find(row, ".arrows", SVGSVGElement) ?? row.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  svg.setAttribute("class", "arrows");
  svg.setAttribute("aria-hidden", "true");
  const origin = row.getBoundingClientRect();
  /** @type {(card: HTMLElement) => import("./arrows.js").Point} */
  const topCentre = (card) => {
    const box = card.getBoundingClientRect();
    return [box.left + box.width / 2 - origin.left, box.top - origin.top];
  };
  const html = (/** @type {const} */ (["yours", "better"])).flatMap((name) =>
    findAll(row, `.by-${name} .card`).map((card) => arrow(name, topCentre(hand), topCentre(card)))).join("");
  if (svg.dataset.drawn === html) return;
  svg.dataset.drawn = html;
  svg.innerHTML = html;
}
