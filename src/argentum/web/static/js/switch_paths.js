// Paths between switched cards.
"use strict";

// When two cards are switched, draw a dotted path between them, with arrowheads at both ends, for four seconds.
function drawSwitchPaths(motions) {
  for (const [from, to] of motions) {
    if (from > to || !motions.some((motion) => motion[0] === to && motion[1] === from)) continue;
    const table = stage.querySelector(".table");
    const [a, b] = [from, to].map((slot) => stage.querySelector(`[data-slot="${slot}"] .card`)?.getBoundingClientRect());
    if (!a?.width || !b?.width) continue;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "path");
    svg.setAttribute("aria-hidden", "true");
    const origin = table.getBoundingClientRect();
    svg.setAttribute("viewBox", `${origin.left} ${origin.top} ${origin.width} ${origin.height}`);
    const [path, heads] = switchPath(...(a.top <= b.top ? [a, b] : [b, a]));
    for (const [name, d] of [["halo", path], ["line", path], ["heads", heads]]) {
      const line = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      line.setAttribute("class", name);
      line.setAttribute("d", d);
    }
    table.append(svg);
    if (!reducedMotion.matches) svg.animate([{ opacity: 0 }, { opacity: 1 }], MOVE_ANIMATION);
    setTimeout(() => svg.remove(), 4000);
  }
}

// Return the path between two switched cards and its arrowheads, as SVG path data. The path leads from the bottom of one
// card to the other, or along the margin of the page if the prompt lies between them.
function switchPath(upper, lower) {
  const [x, y, u] = [upper.left + upper.width / 2, upper.bottom, lower.left + lower.width / 2];
  const head = (x, tip, down) => `M${x - 5} ${tip - 8 * down}h10l-5 ${8 * down}z`;
  const prompt = document.getElementById("prompt").getBoundingClientRect();
  if (prompt.top < y || prompt.bottom > lower.bottom) {
    const low = Math.max(y, lower.bottom) + 24;
    return [`M${x} ${y + 8}C${x} ${low} ${u} ${low} ${u} ${lower.bottom + 8}`, head(x, y, -1) + head(u, lower.bottom, -1)];
  }
  const board = stage.querySelector(".scenery").getBoundingClientRect();
  const lane = x < board.left + board.width * .4 ? board.left + 9 : board.right - 9;
  const [out, back, top] = [Math.sign(lane - x) * 6, Math.sign(u - lane) * 6, lower.top - 14];
  const leave = `M${x} ${y + 6}Q${x} ${y + 12} ${x + out} ${y + 12}H${lane - out}Q${lane} ${y + 12} ${lane} ${y + 18}`;
  const arrive = `V${top - 6}Q${lane} ${top} ${lane + back} ${top}H${u - back}Q${u} ${top} ${u} ${top + 6}`;
  return [leave + arrive, head(x, y, -1) + head(u, lower.top, 1)];
}
