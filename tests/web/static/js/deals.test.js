import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

import { findFault, positionInDeal } from "../../../../src/argentum/web/static/js/deals.js";

globalThis.crypto ??= webcrypto; // Node.js 18 has no global

// tests/web/test_static_files.py checks that the server reveals this round.
const { sizes, opened } = JSON.parse(readFileSync(new URL("opened_round.json", import.meta.url), "utf-8"));
const SHOWN = { round: "1", players: "2", people: "A", you: "A" };
const fault = (changes = {}, shown = {}, seen = []) => findFault({ ...opened, ...changes }, { ...SHOWN, ...shown }, new Map(seen), sizes);

test("an honest round has no fault", async () => {
  assert.equal(await fault(), "");
});

test("a changed deal is found", async () => {
  const [first, second] = opened.villages;
  assert.equal(await fault({ villages: [second, first] }), "cards");
  assert.equal(await fault({ discard: (opened.discard + 1) % 14 }), "cards");
  assert.equal(await fault({ deck: [...opened.deck].reverse() }), "cards");
  assert.equal(await fault({ start: 1 - opened.start }), "cards");
});

test("changed values and parts are found", async () => {
  assert.equal(await fault({ values: { A: "another" } }), "cards");
  assert.equal(await fault({ part: "0".repeat(64) }), "part");
  assert.equal(await fault({ commitment: "0".repeat(64) }), "commitment");
});

test("another round than that on the page is found", async () => {
  assert.equal(await fault({}, { round: "2" }), "form");
  assert.equal(await fault({}, { players: "3" }), "form");
});

test("the value of a seat without a person is found", async () => {
  assert.equal(await fault({}, { people: "B" }), "form");
});

test("a card that the page has shown must be in its place", async () => {
  const number = opened.villages[1][2];
  assert.equal(await fault({}, {}, [[7, number]]), "");
  assert.equal(await fault({}, {}, [[7, (number + 1) % 14]]), "seen");
});

test("slots have positions in the deal", () => {
  assert.deepEqual(positionInDeal("A1", "d7", sizes), [0, 7]);
  assert.deepEqual(positionInDeal("B3", "backd13+", sizes), [7, 13]);
  assert.deepEqual(positionInDeal("pile", "c0", sizes), [20, 0]);
  assert.equal(positionInDeal("B3", "back", sizes), null, "the card is unknown");
  assert.equal(positionInDeal("deck", "d7", sizes), null);
});
