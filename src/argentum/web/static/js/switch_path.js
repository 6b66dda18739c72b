// The shape of the path between two switched cards.

/** @typedef {{left: number, right: number, top: number, bottom: number, width: number}} Box */

const GAP = 8; // between a card and the path
const CORNER = 6;

/** @type {(x: number, tip: number, down: 1 | -1) => string} */
const arrowhead = (x, tip, down) => `M${x - 5} ${tip - GAP * down}h10l-5 ${GAP * down}z`;

/**
 * Return a path and its arrowheads, as SVG path data. The path leads from the bottom of one card to the other, or along
 * the margin of the board if the prompt lies between them.
 * @param {Box} upper
 * @param {Box} lower
 * @param {Box} prompt
 * @param {Box} board
 * @returns {[path: string, heads: string]}
 */
export function switchPath(upper, lower, prompt, board) {
  const [x, y, u] = [upper.left + upper.width / 2, upper.bottom, lower.left + lower.width / 2];
  if (prompt.top < y || prompt.bottom > lower.bottom) {
    const low = Math.max(y, lower.bottom) + 24;
    const path = `M${x} ${y + GAP}C${x} ${low} ${u} ${low} ${u} ${lower.bottom + GAP}`;
    return [path, arrowhead(x, y, -1) + arrowhead(u, lower.bottom, -1)];
  }
  const lane = x < board.left + board.width * .4 ? board.left + 9 : board.right - 9;
  const [out, back, top] = [Math.sign(lane - x) * CORNER, Math.sign(u - lane) * CORNER, lower.top - 14];
  const leave = `M${x} ${y + 6}Q${x} ${y + 12} ${x + out} ${y + 12}H${lane - out}Q${lane} ${y + 12} ${lane} ${y + 18}`;
  const arrive = `V${top - 6}Q${lane} ${top} ${lane + back} ${top}H${u - back}Q${u} ${top} ${u} ${top + 6}`;
  return [leave + arrive, arrowhead(x, y, -1) + arrowhead(u, lower.top, 1)];
}
