// Shows cards that the reader looks at, one after another. At a table with memory a dialog shows the card until Done or
// until its time is up; with open notes a popup shows it for a moment over its slot.
/** @import { Looks } from "../../script_types.ts" */
import { reducedMotion } from "./animation.js";
import { send } from "./connection.js";
import { byId, create, find, findAll, get } from "./dom.js";
import { announce, announceAlso } from "./live_region.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";

/** @typedef {{slot: string, face: string, title: string, fade: number | null}} Look */

const POPUP_MS = 2400;
const sheet = byId("look", HTMLDialogElement);
let timer = 0;
/** @type {Look[]} */
let queue = []; // cards not shown yet

/**
 * @param {Looks} looks
 * @param {boolean} afterPrompt whether a prompt has just been announced
 */
export function showLooks({ cards, fade }, afterPrompt) {
  const text = cards.map(([, face, title]) => `${title}: ${get(cardFace(face), ".plate b").textContent}.`).join(" ");
  if (afterPrompt) announceAlso(text);
  else announce(text);
  const isBusy = sheet.open || find(document, ".look-popup");
  queue.push(...cards.map(([slot, face, title]) => ({ slot, face, title, fade })));
  if (!isBusy) showNextLook();
}

/** Show the next card of the queue; return whether there is one. */
function showNextLook() {
  const next = queue.shift();
  if (!next) return false;
  if (next.fade === null) showPopup(next);
  else showDialog(next, next.fade);
  return true;
}

/**
 * @param {Look} look
 * @param {number} fade
 */
function showDialog({ slot, face, title }, fade) {
  const card = cardFace(face);
  get(sheet, "h2").textContent = title;
  get(sheet, ".seen-cards").replaceChildren(card);
  get(sheet, ".look-home").replaceChildren(rowWithGap(slot));
  if (!sheet.open) sheet.showModal();
  countDown(performance.now() + fade * 1000, fade);
  if (reducedMotion.matches) return;
  const frames = [{ transform: "translateY(40vh) scale(.4) rotateY(180deg)" }, { transform: "rotateY(-24deg)", offset: .7 }, { transform: "none" }];
  card.animate(frames, { duration: 500, easing: "ease-out" });
}

/** @param {string} face HTML of the server */
function cardFace(face) {
  return create("span", { className: "card", innerHTML: face });
}

/**
 * Return the row of the card's village, with a gap at its slot.
 * @param {string} slot
 */
function rowWithGap(slot) {
  const spots = findAll(stage, `#village-${slot[0]} .row > [data-slot]`);
  const marks = spots.map((spot) => create("span", { className: spot.dataset.slot === slot ? "look-gap" : "little-back" }));
  return create("div", { className: "look-row" }, ...marks);
}

/**
 * @param {number} end on the clock of `performance`
 * @param {number} fade seconds
 */
function countDown(end, fade) {
  clearInterval(timer);
  const ring = get(sheet, ".left", SVGCircleElement);
  const step = () => {
    const left = Math.max(0, end - performance.now()) / 1000;
    get(sheet, ".seconds").textContent = String(Math.ceil(left));
    ring.style.strokeDashoffset = String(1 - left / fade);
    if (!left) finishLook();
  };
  timer = setInterval(step, 100);
  step();
}

function finishLook() {
  clearInterval(timer);
  if (showNextLook()) return;
  if (sheet.open) sheet.close();
  send({ type: "end_look" });
}
get(sheet, "[data-done]").addEventListener("click", finishLook);

/** @param {Event} event */
function closeLook(event) {
  event.preventDefault(); // another card may follow
  finishLook();
}
sheet.addEventListener("cancel", closeLook);
sheet.addEventListener("keydown", (event) => event.key === "Escape" && closeLook(event));

/**
 * Show a card over its slot. A click or key closes the popup at once.
 * @param {Look} look
 */
function showPopup({ slot, face }) {
  const spot = find(stage, `[data-slot="${slot}"] .card`)?.getBoundingClientRect();
  if (!spot?.width) return void showNextLook();
  const popup = create("div", { className: "look-popup", ariaHidden: "true" }, cardFace(face),
    create("span", { className: "only-you", textContent: phrase("only-you") }));
  const width = Math.max(spot.width * 1.2, 76);
  const left = Math.max(6, Math.min(spot.left + spot.width / 2 - width / 2, innerWidth - width - 6));
  const up = Math.min(40, spot.width * .3);
  Object.assign(popup.style, { left: `${left}px`, top: `${Math.max(6, spot.bottom - width * 1.4 - up)}px` });
  popup.style.setProperty("--w", `${width}px`);
  document.body.append(popup);
  timer = setTimeout(closePopup, POPUP_MS);
  if (reducedMotion.matches) return;
  const low = { transform: `translateY(${up}px) scale(.83) rotateY(90deg)` };
  const frames = [low, { transform: "rotateY(-24deg)", offset: .1 }, { transform: "none", offset: .18 }, { transform: "none", offset: .9 }, low];
  popup.animate(frames, { duration: POPUP_MS, easing: "ease-out" });
}

function closePopup() {
  const popup = find(document, ".look-popup");
  if (!popup) return;
  clearTimeout(timer);
  popup.remove();
  showNextLook();
}
for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, closePopup);

/** Stop showing cards, because the table is no longer on the page. */
export function cancelLooks() {
  queue = [];
  clearTimeout(timer);
  find(document, ".look-popup")?.remove();
  if (sheet.open) sheet.close();
}
