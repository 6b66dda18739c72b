// Draws paths between switched cards.
/** @import { Motion } from "../../script_types.ts" */
import { MOVE_ANIMATION, reducedMotion } from "./animation.js";
import { byId, find, get } from "./dom.js";
import { stage } from "./stage.js";
import { switchPath } from "./switch_path.js";

const SHOWN_MS = 4000;

/**
 * When two cards are switched, draw a dotted path between them, with arrowheads at both ends, for four seconds.
 * @param {Motion[]} motions
 */
export function drawSwitchPaths(motions) {
  for (const [from, to] of motions) {
    if (from > to || !motions.some((motion) => motion[0] === to && motion[1] === from)) continue;
    const [a, b] = [from, to].map((slot) => find(stage, `[data-slot="${slot}"] .card`)?.getBoundingClientRect());
    if (a?.width && b?.width) drawPath(...(a.top <= b.top ? /** @type {const} */ ([a, b]) : /** @type {const} */ ([b, a])));
  }
}

/**
 * @param {DOMRect} upper
 * @param {DOMRect} lower
 */
function drawPath(upper, lower) {
  const table = get(stage, ".table");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "path");
  svg.setAttribute("aria-hidden", "true");
  const origin = table.getBoundingClientRect();
  svg.setAttribute("viewBox", `${origin.left} ${origin.top} ${origin.width} ${origin.height}`);
  const board = get(stage, ".scenery").getBoundingClientRect();
  const [path, heads] = switchPath(upper, lower, byId("prompt").getBoundingClientRect(), board);
  for (const [name, d] of [["halo", path], ["line", path], ["heads", heads]]) {
    const line = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    line.setAttribute("class", name);
    line.setAttribute("d", d);
  }
  table.append(svg);
  if (!reducedMotion.matches) svg.animate([{ opacity: 0 }, { opacity: 1 }], MOVE_ANIMATION);
  setTimeout(() => svg.remove(), SHOWN_MS);
}
