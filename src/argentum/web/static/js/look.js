// A card that you look at turns towards you; several do so one after another. Where they must be remembered, a card is all
// there is to see until it turns back, by Done or when its time is up; with open notes it rises from its spot for a moment
// and hides nothing.
"use strict";

const lookSheet = document.getElementById("look");
let lookTimer = 0;
let toSee = []; // cards that wait for their moment

function look({ cards, fade }, asked) {
  const seen = cards.map(([, face, title]) => `${title}: ${cardFace(face).querySelector(".plate b").textContent}.`).join(" ");
  announcer.textContent = asked ? `${announcer.textContent} ${seen}` : seen;
  const busy = lookSheet.open || document.querySelector(".risen");
  toSee.push(...cards.map(([place, face, title]) => ({ place, face, title, fade })));
  if (!busy) seeNext();
}

function seeNext() {
  const next = toSee.shift();
  if (!next) return false;
  if (next.fade === null) rise(next);
  else remember(next);
  return true;
}

function remember({ place, face, title, fade }) {
  lookSheet.querySelector("h2").textContent = title;
  lookSheet.querySelector(".seen-cards").replaceChildren(cardFace(face));
  lookSheet.querySelector(".look-home").replaceChildren(home(place));
  if (!lookSheet.open) lookSheet.showModal();
  countDown(performance.now() + fade * 1000, fade);
  if (still.matches) return;
  lookSheet.querySelector(".seen-cards .card").animate([{ transform: "translateY(40vh) scale(.4) rotateY(180deg)" }, { transform: "rotateY(-24deg)", offset: .7 }, { transform: "none" }], { duration: 500, easing: "ease-out" });
}

function cardFace(face) {
  const card = Object.assign(document.createElement("span"), { className: "card" });
  card.innerHTML = face; // drawn by the server from what the reader has seen
  return card;
}

// The row of the village where the card lies, with a gap where it was.
function home(place) {
  const row = document.createElement("div");
  row.className = "look-row";
  for (const spot of stage.querySelectorAll(`#village-${place[0]} .row > [data-place]`)) {
    row.append(Object.assign(document.createElement("span"), { className: spot.dataset.place === place ? "look-gap" : "little-back" }));
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
    if (!left) turnBack();
  };
  lookTimer = setInterval(step, 100);
  step();
}

function turnBack() {
  clearInterval(lookTimer);
  if (seeNext()) return;
  if (lookSheet.open) lookSheet.close();
  send({ type: "looked" });
}
lookSheet.querySelector("[data-done]").addEventListener("click", turnBack);
const leave = (event) => {
  event.preventDefault(); // the next card may follow
  turnBack();
};
lookSheet.addEventListener("cancel", leave);
lookSheet.addEventListener("keydown", (event) => event.key === "Escape" && leave(event)); // which need not be said twice

// With open notes: over its spot, and gone again. A click or a key lets it sink at once.
function rise({ place, face }) {
  const spot = stage.querySelector(`[data-place="${place}"] .card`)?.getBoundingClientRect();
  if (!spot?.width) return void seeNext();
  const risen = Object.assign(document.createElement("div"), { className: "risen" });
  risen.setAttribute("aria-hidden", "true");
  risen.append(cardFace(face), Object.assign(document.createElement("span"), { className: "only-you", textContent: phrase("only-you") }));
  const width = Math.max(spot.width * 1.2, 76);
  const left = Math.max(6, Math.min(spot.left + spot.width / 2 - width / 2, innerWidth - width - 6));
  const up = Math.min(40, spot.width * .3);
  Object.assign(risen.style, { left: `${left}px`, top: `${Math.max(6, spot.bottom - width * 1.4 - up)}px` });
  risen.style.setProperty("--w", `${width}px`);
  document.body.append(risen);
  lookTimer = setTimeout(lower, RISEN);
  if (still.matches) return;
  const low = { transform: `translateY(${up}px) scale(.83) rotateY(90deg)` };
  const frames = [low, { transform: "rotateY(-24deg)", offset: .1 }, { transform: "none", offset: .18 }, { transform: "none", offset: .9 }, low];
  risen.animate(frames, { duration: RISEN, easing: "ease-out" });
}
const RISEN = 2400;

function lower() {
  const risen = document.querySelector(".risen");
  if (!risen) return;
  clearTimeout(lookTimer);
  risen.remove();
  seeNext();
}
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, lower);

// What is looked at covers nothing that comes after the table.
function sink() {
  toSee = [];
  clearTimeout(lookTimer);
  document.querySelector(".risen")?.remove();
  if (lookSheet.open) lookSheet.close();
}
