// The shape of the arrows of a review.

/** @typedef {[x: number, y: number]} Point */

const LANES = { yours: { height: 20, offset: -7 }, better: { height: 36, offset: 7 } };
const MAX_RISE = 60; // between cards of one row; if it wraps, there is no arrow

/**
 * Return an arrow from the top of the card in hand to the top of a card, as SVG; empty if they are not in one row.
 * @param {"yours" | "better"} name
 * @param {Point} from
 * @param {Point} to
 */
export function arrow(name, [x, y], [u, v]) {
  if (Math.abs(v - y) > MAX_RISE) return "";
  const { height, offset } = LANES[name];
  const [start, end, top] = [x + offset, u + offset, Math.min(y, v) - height];
  const bend = Math.sign(end - start) * Math.min(10, Math.abs(end - start) / 2);
  const line = `M${start} ${y - 6}V${top + 10}Q${start} ${top} ${start + bend} ${top}H${end - bend}Q${end} ${top} ${end} ${top + 10}V${v - 9}`;
  return `<path class="${name}" d="${line}"/><path class="head" d="M${end - 5} ${v - 12}h10l-5 9z"/>`;
}
