import assert from "node:assert/strict";
import test from "node:test";

import { gamesByBox, summarize } from "../../../../src/argentum/web/static/js/statistics.js";

const game = (box, won, points, calls = 0, callsWon = 0) => ({ id: box, box, won, points, calls, calls_won: callsWon, people: 1, at: 0 });
const GAMES = [game("dagger", true, [1, 2], 2, 1), game("coin", false, [9, 10]), game("dagger", false, [3, 4], 1)];
const names = (groups) => groups.map(([box, games]) => [box, games.length]);

test("games are grouped by box, and all of them together", () => {
  assert.deepEqual(names(gamesByBox(GAMES, () => true)), [["coin", 1], ["dagger", 2], ["all", 3]]);
});

test("one box needs no group of all games", () => {
  assert.deepEqual(names(gamesByBox(GAMES.slice(1, 2), () => true)), [["coin", 1]]);
});

test("boxes that are not installed are left out", () => {
  assert.deepEqual(names(gamesByBox(GAMES, (box) => box === "coin")), [["coin", 1]]);
});

test("points are averaged over rounds, and calls are counted", () => {
  const [, [, dagger]] = gamesByBox(GAMES, () => true);
  assert.deepEqual(summarize(dagger), { won: 1, meanPoints: "2.5", calls: 3, callsWon: 1 });
});

test("a negative mean has a minus sign, not a hyphen", () => {
  assert.equal(summarize([game("coin", true, [-1])]).meanPoints, "−1.0");
});
