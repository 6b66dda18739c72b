// Animates cards that move or turn.
/** @import { Motion } from "../../script_types.ts" */
import { find, findAll } from "./dom.js";
import { stage } from "./stage.js";

/** @typedef {{box: DOMRect, face: string}} SlotRect */

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const MOVE_ANIMATION = { duration: 280, easing: "cubic-bezier(.2,.7,.2,1)" };
export const FLIP_ANIMATION = { duration: 220, easing: "ease-out" };

/**
 * Return the position and the face of the card in each slot.
 * @returns {Map<string, SlotRect>}
 */
export function slotRects() {
  return new Map(findAll(stage, "[data-slot]").map((spot) => {
    const card = find(spot, "[data-face]") ?? spot;
    return [spot.dataset.slot ?? "", { box: card.getBoundingClientRect(), face: card.dataset.face ?? "" }];
  }));
}

/**
 * Animate cards from their previous slots, and flip cards that were turned.
 * @param {Map<string, SlotRect>} before an earlier result of `slotRects`
 * @param {Motion[]} motions
 */
export function animateMoves(before, motions) {
  const moved = new Set();
  for (const [from, to] of motions) {
    const start = before.get(from)?.box;
    if (start?.width && animateMove(start, to)) moved.add(to);
  }
  for (const spot of findAll(stage, "[data-slot]")) {
    const card = find(spot, "[data-face]");
    const previous = before.get(spot.dataset.slot ?? "")?.face;
    if (!card?.dataset.face || !previous || moved.has(spot.dataset.slot)) continue;
    if (previous.startsWith("back") !== card.dataset.face.startsWith("back")) {
      card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], FLIP_ANIMATION);
    }
  }
}

/**
 * Animate the card in a slot from its previous position; return whether it is visible.
 * @param {DOMRect} start
 * @param {string} slot
 */
function animateMove(start, slot) {
  const target = find(stage, `[data-slot="${slot}"]`);
  const card = target && (find(target, "[data-face]") ?? target);
  const end = card?.getBoundingClientRect();
  if (!card || !end?.width) return false;
  const shift = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
  const scale = `scale(${start.width / end.width}, ${start.height / end.height})`;
  card.style.transformOrigin = "0 0";
  card.animate([{ transform: `${shift} ${scale}`, zIndex: 5 }, { transform: "none", zIndex: 5 }], MOVE_ANIMATION)
    .finished.catch(() => {}).then(() => card.style.removeProperty("transform-origin"));
  return true;
}
