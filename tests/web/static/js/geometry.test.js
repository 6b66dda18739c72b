import assert from "node:assert/strict";
import test from "node:test";

import { arrow } from "../../../../src/argentum/web/static/js/arrows.js";
import { helpPosition } from "../../../../src/argentum/web/static/js/help_position.js";
import { switchPath } from "../../../../src/argentum/web/static/js/switch_path.js";

const box = (left, top, width, height) => ({ left, top, width, height, right: left + width, bottom: top + height });
const WINDOW = { width: 1000, height: 800 };
const HELP = { width: 300, height: 200 };

test("help opens right of its card, or left where there is no space", () => {
  assert.deepEqual(helpPosition(box(100, 300, 80, 110), HELP, [], WINDOW), { left: 192, top: 300, height: 200 });
  assert.deepEqual(helpPosition(box(800, 300, 80, 110), HELP, [], WINDOW), { left: 488, top: 300, height: 200 });
});

test("help covers no button if it can be moved up or down", () => {
  const button = box(200, 350, 200, 40);
  assert.deepEqual(helpPosition(box(100, 300, 80, 110), HELP, [button], WINDOW), { left: 192, top: 398, height: 200 });
});

test("in a narrow window help opens below, or above if there is more space", () => {
  const phone = { width: 360, height: 740 };
  assert.deepEqual(helpPosition(box(10, 100, 80, 110), HELP, [], phone), { left: 8, top: 220, height: 200 });
  assert.deepEqual(helpPosition(box(10, 500, 80, 110), HELP, [], phone), { left: 8, top: 290, height: 200 });
});

test("help that fits nowhere is cut to the larger space", () => {
  const position = helpPosition(box(10, 300, 300, 110), { width: 300, height: 900 }, [], { width: 360, height: 740 });
  assert.deepEqual(position, { left: 10, top: 420, height: 312 });
});

test("the path of a switch follows the margin if the prompt lies between the cards", () => {
  const [upper, lower, board] = [box(100, 50, 60, 80), box(400, 600, 60, 80), box(0, 0, 1000, 800)];
  const [curve] = switchPath(upper, lower, box(300, 700, 300, 50), board);
  assert.match(curve, /^M130 138C/, "a curve, if the prompt is elsewhere");
  const [lane, heads] = switchPath(upper, lower, box(300, 300, 300, 50), board);
  assert.match(lane, /Q9 \d+ 9 /, "a lane near the left margin");
  assert.equal(heads.match(/M/g)?.length, 2);
});

test("an arrow of a review joins cards of one row only", () => {
  assert.match(arrow("yours", [100, 50], [300, 50]), /class="yours".*class="head"/);
  assert.equal(arrow("better", [100, 50], [300, 150]), "");
});
