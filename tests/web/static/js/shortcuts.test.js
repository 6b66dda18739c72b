import assert from "node:assert/strict";
import test from "node:test";

import { keyAction, nextIndex } from "../../../../src/argentum/web/static/js/shortcuts.js";

test("help and Escape work on every page", () => {
  for (const atTable of [true, false]) {
    assert.deepEqual(["?", "h", "Escape"].map((key) => keyAction(key, atTable).action), ["help", "help", "close"]);
  }
});

test("digits focus cards at a table only", () => {
  assert.deepEqual(keyAction("3", true), { action: "focus-card", index: 2 });
  assert.deepEqual(keyAction("3", false), { action: "press", step: 0 });
  assert.deepEqual(keyAction("0", true), { action: "press", step: 0 });
});

test("r shows the residents at a table only", () => {
  assert.equal(keyAction("r", true).action, "residents");
  assert.equal(keyAction("r", false).action, "press");
});

test("arrows move between the cards of a table", () => {
  const keys = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"];
  assert.deepEqual(keys.map((key) => keyAction(key, true).step), [1, 1, -1, -1]);
  assert.deepEqual(keys.map((key) => keyAction(key, false).step), [0, 0, 0, 0]);
});

test("other keys are shortcuts of buttons", () => {
  assert.deepEqual(keyAction("d", true), { action: "press", step: 0 });
});

test("cards are in a circle", () => {
  assert.deepEqual([nextIndex(2, 1, 3), nextIndex(0, -1, 3), nextIndex(1, 1, 3)], [0, 2, 2]);
});

test("without a current card, arrows begin at the ends", () => {
  assert.deepEqual([nextIndex(-1, 1, 3), nextIndex(-1, -1, 3)], [0, 2]);
});
