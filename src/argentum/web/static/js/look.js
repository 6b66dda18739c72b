// Shows cards that the reader looks at, one after another. At a table with memory a dialog shows the card until Done or
// until its time is up; with open notes a popup shows it for a moment over its slot.
"use strict";

const lookSheet = document.getElementById("look");
let lookTimer = 0;
let lookQueue = []; // cards not shown yet

function showLooks({ cards, fade }, afterPrompt) {
  const text = cards.map(([, face, title]) => `${title}: ${cardFace(face).querySelector(".plate b").textContent}.`).join(" ");
  liveRegion.textContent = afterPrompt ? `${liveRegion.textContent} ${text}` : text;
  const busy = lookSheet.open || document.querySelector(".look-popup");
  lookQueue.push(...cards.map(([slot, face, title]) => ({ slot, face, title, fade })));
  if (!busy) showNextLook();
}

// Show the next card of the queue; return whether there is one.
function showNextLook() {
  const next = lookQueue.shift();
  if (!next) return false;
  if (next.fade === null) showLookPopup(next);
  else showLookDialog(next);
  return true;
}

function showLookDialog({ slot, face, title, fade }) {
  lookSheet.querySelector("h2").textContent = title;
  lookSheet.querySelector(".seen-cards").replaceChildren(cardFace(face));
  lookSheet.querySelector(".look-home").replaceChildren(rowWithGap(slot));
  if (!lookSheet.open) lookSheet.showModal();
  countDown(performance.now() + fade * 1000, fade);
  if (reducedMotion.matches) return;
  lookSheet.querySelector(".seen-cards .card").animate([{ transform: "translateY(40vh) scale(.4) rotateY(180deg)" }, { transform: "rotateY(-24deg)", offset: .7 }, { transform: "none" }], { duration: 500, easing: "ease-out" });
}

function cardFace(face) {
  const card = Object.assign(document.createElement("span"), { className: "card" });
  card.innerHTML = face; // the server's HTML
  return card;
}

// Return the row of the card's village, with a gap at its slot.
function rowWithGap(slot) {
  const row = document.createElement("div");
  row.className = "look-row";
  for (const spot of stage.querySelectorAll(`#village-${slot[0]} .row > [data-slot]`)) {
    row.append(Object.assign(document.createElement("span"), { className: spot.dataset.slot === slot ? "look-gap" : "little-back" }));
  }
  return row;
}

function countDown(end, fade) {
  clearInterval(lookTimer);
  const ring = lookSheet.querySelector(".left");
  const step = () => {
    const left = Math.max(0, end - performance.now()) / 1000;
    lookSheet.querySelector(".seconds").textContent = Math.ceil(left);
    ring.style.strokeDashoffset = 1 - left / fade;
    if (!left) finishLook();
  };
  lookTimer = setInterval(step, 100);
  step();
}

function finishLook() {
  clearInterval(lookTimer);
  if (showNextLook()) return;
  if (lookSheet.open) lookSheet.close();
  send({ type: "end_look" });
}
lookSheet.querySelector("[data-done]").addEventListener("click", finishLook);
const closeLook = (event) => {
  event.preventDefault(); // another card may follow
  finishLook();
};
lookSheet.addEventListener("cancel", closeLook);
lookSheet.addEventListener("keydown", (event) => event.key === "Escape" && closeLook(event));

// A click or key closes the popup at once.
function showLookPopup({ slot, face }) {
  const spot = stage.querySelector(`[data-slot="${slot}"] .card`)?.getBoundingClientRect();
  if (!spot?.width) return void showNextLook();
  const popup = Object.assign(document.createElement("div"), { className: "look-popup" });
  popup.setAttribute("aria-hidden", "true");
  popup.append(cardFace(face), Object.assign(document.createElement("span"), { className: "only-you", textContent: phrase("only-you") }));
  const width = Math.max(spot.width * 1.2, 76);
  const left = Math.max(6, Math.min(spot.left + spot.width / 2 - width / 2, innerWidth - width - 6));
  const up = Math.min(40, spot.width * .3);
  Object.assign(popup.style, { left: `${left}px`, top: `${Math.max(6, spot.bottom - width * 1.4 - up)}px` });
  popup.style.setProperty("--w", `${width}px`);
  document.body.append(popup);
  lookTimer = setTimeout(closeLookPopup, POPUP_MS);
  if (reducedMotion.matches) return;
  const low = { transform: `translateY(${up}px) scale(.83) rotateY(90deg)` };
  const frames = [low, { transform: "rotateY(-24deg)", offset: .1 }, { transform: "none", offset: .18 }, { transform: "none", offset: .9 }, low];
  popup.animate(frames, { duration: POPUP_MS, easing: "ease-out" });
}
const POPUP_MS = 2400;

function closeLookPopup() {
  const popup = document.querySelector(".look-popup");
  if (!popup) return;
  clearTimeout(lookTimer);
  popup.remove();
  showNextLook();
}
for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, closeLookPopup);

// Stop showing cards, because the table is no longer on the page.
function cancelLooks() {
  lookQueue = [];
  clearTimeout(lookTimer);
  document.querySelector(".look-popup")?.remove();
  if (lookSheet.open) lookSheet.close();
}
