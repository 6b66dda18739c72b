// A card that you look at turns towards you. Where it must be remembered, it is all there is to see until it turns back,
// by Done or when the server's time is up; with open notes it rises from its spot for a moment and hides nothing.
"use strict";

const lookSheet = document.getElementById("look");
let lookTimer = 0;

function look({ title, cards, fade }, asked) {
  const seen = `${title}: ${cards.map(([, face]) => cardFace(face).querySelector(".plate b").textContent).join(", ")}.`;
  announcer.textContent = asked ? `${announcer.textContent} ${seen}` : seen;
  if (fade === null) return cards.forEach(([place, face], nth) => rise(place, face, nth));
  lookSheet.querySelector("h2").textContent = title;
  lookSheet.querySelector(".seen-cards").replaceChildren(...cards.map(([, face]) => cardFace(face)));
  lookSheet.querySelector(".look-home").replaceChildren(...homes(cards.map(([place]) => place)));
  if (!lookSheet.open) lookSheet.showModal();
  countDown(performance.now() + fade * 1000, fade);
  if (still.matches) return;
  for (const card of lookSheet.querySelectorAll(".seen-cards .card")) {
    card.animate([{ transform: "translateY(40vh) scale(.4) rotateY(180deg)" }, { transform: "rotateY(-24deg)", offset: .7 }, { transform: "none" }], { duration: 500, easing: "ease-out" });
  }
}

function cardFace(face) {
  const card = Object.assign(document.createElement("span"), { className: "card" });
  card.innerHTML = face; // drawn by the server from what the reader has seen
  return card;
}

// The rows of the villages where the cards lie, with a gap where each was.
function homes(places) {
  return [...new Set(places.map((place) => place[0]))].map((seat) => {
    const row = document.createElement("div");
    row.className = "look-row";
    for (const spot of stage.querySelectorAll(`#village-${seat} .row > [data-place]`)) {
      const gap = places.includes(spot.dataset.place);
      row.append(Object.assign(document.createElement("span"), { className: gap ? "look-gap" : "little-back" }));
    }
    return row;
  });
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
  if (lookSheet.open) lookSheet.close();
  send({ type: "looked" });
}
lookSheet.querySelector("[data-done]").addEventListener("click", turnBack);
lookSheet.addEventListener("cancel", turnBack);

// With open notes: over its spot, and gone again.
function rise(place, face, nth) {
  const spot = stage.querySelector(`[data-place="${place}"] .card`)?.getBoundingClientRect();
  if (!spot?.width) return;
  const risen = Object.assign(document.createElement("div"), { className: "risen" });
  risen.setAttribute("aria-hidden", "true");
  risen.append(cardFace(face), Object.assign(document.createElement("span"), { className: "only-you", textContent: "only you" }));
  const width = Math.max(spot.width * 1.2, 76);
  const left = Math.max(6, Math.min(spot.left + spot.width / 2 - width / 2, innerWidth - width - 6));
  const up = Math.min(40, spot.width * .3);
  Object.assign(risen.style, { left: `${left}px`, top: `${Math.max(6, spot.bottom - width * 1.4 - up)}px` });
  risen.style.setProperty("--w", `${width}px`);
  document.body.append(risen);
  const lasts = 2600 + 200 * nth;
  if (still.matches) return setTimeout(() => risen.remove(), lasts);
  const low = { transform: `translateY(${up}px) scale(.83) rotateY(90deg)` };
  const frames = [low, { transform: "rotateY(-24deg)", offset: .1 }, { transform: "none", offset: .18 }, { transform: "none", offset: .9 }, low];
  risen.animate(frames, { duration: lasts, easing: "ease-out" }).finished.catch(() => {}).then(() => risen.remove());
}

// What rose covers nothing that comes after the table.
function sink() {
  for (const risen of document.querySelectorAll(".risen")) risen.remove();
}
