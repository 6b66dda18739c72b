// Where help on an element opens.

/** @typedef {{left: number, top: number, right: number, bottom: number, width: number}} Box */
/** @typedef {{left: number, top: number, height: number}} Position */

const MARGIN = 8; // to the edges of the window

/** @type {(start: number, length: number, space: number) => number} */
const clamp = (start, length, space) => Math.max(MARGIN, Math.min(start, space - length - MARGIN));

/**
 * Return a position right of, left of, below or above an element, if possible one that covers no button of the prompt.
 * @param {Box} box of the element
 * @param {{width: number, height: number}} help
 * @param {Box[]} buttons
 * @param {{width: number, height: number}} space
 * @returns {Position}
 */
export function helpPosition(box, { width, height }, buttons, space) {
  const left = clamp(box.left + box.width / 2 - width / 2, width, space.width);
  const above = Math.min(height, box.top - 18);
  const below = Math.min(height, space.height - box.bottom - 18);
  const clearTops = buttons.flatMap((button) => [button.bottom + MARGIN, button.top - MARGIN - height]);
  const tops = [box.top, ...clearTops].map((top) => clamp(top, height, space.height));
  const belowBox = { left, top: box.bottom + 10, height: below };
  const aboveBox = { left, top: box.top - 10 - above, height: above };
  const fitting = [
    ...(box.right + 12 + width < space.width - MARGIN ? tops.map((top) => ({ left: box.right + 12, top, height })) : []),
    ...(box.left - 12 - width > MARGIN ? tops.map((top) => ({ left: box.left - 12 - width, top, height })) : []),
    ...[belowBox, aboveBox].filter((position) => position.height === height),
  ];
  const coversNone = (/** @type {Position} */ position) => buttons.every((button) => !overlaps(position, width, button));
  return fitting.find(coversNone) ?? fitting[0] ?? (below >= above ? belowBox : aboveBox);
}

/** @type {(position: Position, width: number, box: Box) => boolean} */
function overlaps({ left, top, height }, width, box) {
  return left < box.right && left + width > box.left && top < box.bottom && top + height > box.top;
}
