// Animates cards that move or turn.
"use strict";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_ANIMATION = { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" };
const FLIP_ANIMATION = { duration: 220, easing: "ease-out" };

// Return the position and the face of the card in each slot.
function slotRects() {
  const rects = new Map();
  for (const spot of stage.querySelectorAll("[data-slot]")) {
    const card = spot.querySelector("[data-face]") ?? spot;
    rects.set(spot.dataset.slot, { box: card.getBoundingClientRect(), face: card.dataset.face });
  }
  return rects;
}

// Animate cards from their previous slots, and flip cards that were turned. `before` is an earlier result of `slotRects`.
function animateMoves(before, motions) {
  const moved = new Set();
  for (const [from, to] of motions) {
    const target = stage.querySelector(`[data-slot="${to}"]`);
    const start = before.get(from);
    if (!target || !start || !start.box.width) continue;
    const card = target.querySelector("[data-face]") ?? target;
    const end = card.getBoundingClientRect();
    if (!end.width) continue;
    moved.add(to);
    const shift = `translate(${start.box.left - end.left}px, ${start.box.top - end.top}px)`;
    const scale = `scale(${start.box.width / end.width}, ${start.box.height / end.height})`;
    card.style.transformOrigin = "0 0";
    card.animate([{ transform: `${shift} ${scale}`, zIndex: 5 }, { transform: "none", zIndex: 5 }], MOVE_ANIMATION)
      .finished.catch(() => {}).then(() => card.style.removeProperty("transform-origin"));
  }
  for (const spot of stage.querySelectorAll("[data-slot]")) {
    const card = spot.querySelector("[data-face]");
    const previous = before.get(spot.dataset.slot)?.face;
    if (!card || !previous || moved.has(spot.dataset.slot)) continue;
    if (previous.startsWith("back") !== card.dataset.face.startsWith("back")) {
      card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], FLIP_ANIMATION);
    }
  }
}
