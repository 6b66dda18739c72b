import assert from "node:assert/strict";
import test from "node:test";

import { CardSelection } from "../../../../src/argentum/web/static/js/card_selection.js";

const LOOK = { spots: ["A1", "A2", "A3"], minCards: 2, maxCards: 2 };
const EXCHANGE = { spots: ["A1", "A2", "A3"], minCards: 1, maxCards: 3 };
const SWAP = { spots: ["A1", "B1"], minCards: 2, maxCards: 2 };

function selected(buttons, ...spots) {
  const selection = new CardSelection();
  for (const spot of spots) selection.toggle(spot, buttons);
  return selection;
}

test("a second click deselects a card", () => {
  assert.deepEqual(selected([LOOK], "A1", "A2", "A1").among(LOOK.spots), ["A2"]);
});

test("a card over the limit takes the place of the first one", () => {
  assert.deepEqual(selected([LOOK], "A1", "A2", "A3").among(LOOK.spots), ["A2", "A3"]);
});

test("the button that accepts most cards sets the limit", () => {
  assert.equal(selected([LOOK, EXCHANGE], "A1", "A2", "A3").size, 3);
});

test("spots are in the order of the button, not of the clicks", () => {
  assert.deepEqual(selected([EXCHANGE], "A3", "A1").among(EXCHANGE.spots), ["A1", "A3"]);
});

test("a button needs its number of cards", () => {
  assert.equal(selected([LOOK], "A1").isAccepted(LOOK), false);
  assert.equal(selected([LOOK], "A1", "A2").isAccepted(LOOK), true);
  assert.equal(selected([EXCHANGE], "A1", "A2", "A3").isAccepted(LOOK), false);
});

test("a button is not pressed with a card that it does not accept", () => {
  const selection = selected([EXCHANGE, SWAP], "A2", "B1");
  assert.equal(selection.isAccepted(EXCHANGE), false);
  assert.equal(selection.isAccepted(SWAP), false);
});

test("cards that are no longer offered are deselected", () => {
  const selection = selected([EXCHANGE], "A1", "A2");
  selection.restrictTo(new Set(["A2"]));
  assert.deepEqual(selection.among(EXCHANGE.spots), ["A2"]);
  selection.clear();
  assert.equal(selection.size, 0);
});
