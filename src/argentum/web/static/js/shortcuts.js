// What keys do on the table page.

/**
 * @typedef {{action: "help"} | {action: "close"} | {action: "residents"} | {action: "focus-card", index: number}
 *   | {action: "press", step: -1 | 0 | 1}} KeyAction
 */

/** @type {Record<string, -1 | 1>} */
const ARROW_STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Return what a key does. `press` presses the button with this shortcut; if there is none, `step` moves to the next or
 * the previous card.
 * @param {string} key
 * @param {boolean} atTable whether the page is that of a game
 * @returns {KeyAction}
 */
export function keyAction(key, atTable) {
  if (key === "?" || key === "h") return { action: "help" };
  if (key === "Escape") return { action: "close" };
  if (atTable && key === "r") return { action: "residents" };
  if (atTable && /^[1-9]$/.test(key)) return { action: "focus-card", index: Number(key) - 1 };
  return { action: "press", step: atTable ? ARROW_STEPS[key] ?? 0 : 0 };
}

/**
 * Return the index of the next or previous of several items, in a circle.
 * @param {number} index -1 if none is current
 * @param {-1 | 1} step
 * @param {number} count
 */
export function nextIndex(index, step, count) {
  if (index < 0) return step > 0 ? 0 : count - 1;
  return (index + step + count) % count;
}
