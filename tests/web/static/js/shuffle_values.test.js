import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import test from "node:test";

import { fillStorage } from "./fake_storage.js";
import { addShuffleValue, shuffleValue } from "../../../../src/argentum/web/static/js/shuffle_values.js";

globalThis.crypto ??= webcrypto; // Node.js 18 has no global

test("a game has one value, which is stored", () => {
  fillStorage({});
  const value = addShuffleValue("c1");
  assert.match(value, /^[0-9a-f]{32}$/);
  assert.equal(addShuffleValue("c1"), value);
  assert.equal(shuffleValue("c1"), value);
  assert.notEqual(addShuffleValue("c2"), value);
});

test("the values of the last twelve games are stored", () => {
  fillStorage({});
  for (let game = 0; game < 13; game++) addShuffleValue(`c${game}`);
  assert.equal(shuffleValue("c0"), undefined);
  assert.notEqual(shuffleValue("c1"), undefined);
});
