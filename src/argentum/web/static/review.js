// The review of a finished game: its decisions on a line, and those that cost most. The server computes it.
"use strict";

const reviewSheet = document.getElementById("review");
const SVG = "http://www.w3.org/2000/svg";
const WORST = 3;
const percent = (share) => `${Math.round(Math.abs(share) * 100)} %`;

function showReview({ rows, bot, playouts }) {
  say("");
  const missed = rows.filter((row) => row.sure && row.chance > 0).sort((one, other) => other.chance - one.chance);
  const words = missed.length ? `${missed.length} of your ${rows.length} decisions had a better move.` : `None of your ${rows.length} decisions had a clearly better move.`;
  document.getElementById("review-sum").textContent = words;
  document.getElementById("review-how").textContent = `Where the bot ${bot} would have done something else, both moves were played out ${playouts} times, on what you knew then.`;
  drawChart(rows);
  document.getElementById("review-worst").replaceChildren(...missed.slice(0, WORST).map(costly));
  if (!reviewSheet.open) reviewSheet.showModal();
}

function costly(row) {
  const line = document.createElement("li");
  const title = Object.assign(document.createElement("strong"), { textContent: `Round ${row.round}: −${percent(row.chance)} (± ${percent(2 * row.error)})` });
  const yours = Object.assign(document.createElement("span"), { className: "quiet", textContent: `Yours: ${row.played}` });
  const better = Object.assign(document.createElement("span"), { textContent: `Better: ${row.better}` });
  const see = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "See it" });
  see.setAttribute("aria-label", `See round ${row.round} in the replay: ${row.played}`);
  see.onclick = () => goTo(row.at);
  line.append(title, yours, better, see);
  return line;
}

function goTo(at) {
  reviewSheet.close();
  send({ type: "replay", at });
}

function drawn(name, attributes) {
  const shape = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  return shape;
}

function drawChart(rows) {
  const most = Math.max(0.1, ...rows.map((row) => Math.abs(row.chance)));
  const shapes = [drawn("line", { x1: 0, x2: 1000, y1: 100, y2: 100 })];
  let round = 0;
  rows.forEach((row, nth) => {
    const x = (1000 * (nth + 0.5)) / rows.length;
    const y = 100 + (row.sure ? (80 * row.chance) / most : 0);
    if (row.round !== round) {
      round = row.round;
      const label = drawn("text", { x: x - 6, y: 14 });
      label.textContent = `Round ${round}`;
      shapes.push(label);
    }
    if (row.sure) shapes.push(drawn("line", { x1: x, x2: x, y1: 100, y2: y }));
    const dot = drawn("circle", { cx: x, cy: y, r: row.sure ? 8 : 4, class: row.sure ? (row.chance > 0 ? "better" : "yours") : "" });
    dot.onclick = () => goTo(row.at);
    shapes.push(dot);
  });
  document.getElementById("review-chart").replaceChildren(...shapes);
}

document.addEventListener("click", ({ target }) => {
  if (!target.closest?.("[data-review]")) return;
  say("Going through your game …");
  send({ type: "review" });
});
