import assert from "node:assert/strict";
import test from "node:test";

import { keysOf, pageAddress } from "../../../../src/argentum/web/static/js/address.js";

const address = (search, position) => pageAddress({ pathname: "/table/quiet-owl", search }, position);

test("the address of a replay has the position in place of what a link opens once", () => {
  assert.equal(address("?quick", "7"), "/table/quiet-owl?at=7");
  assert.equal(address("?at=3&eyes=A", "7"), "/table/quiet-owl?at=7");
});

test("without a position, the replay is left out", () => {
  assert.equal(address("?at=3&eyes=A"), "/table/quiet-owl");
  assert.equal(address("?review"), "/table/quiet-owl");
});

test("the number of a past game stays, and the table's name in the static edition", () => {
  assert.equal(address("?game=2&at=3"), "/table/quiet-owl?game=2");
  assert.equal(pageAddress({ pathname: "/silver/table/", search: "?quiet-owl&at=3" }, "4"), "/silver/table/?quiet-owl=&at=4");
});

test("a fragment has one key per seat", () => {
  assert.deepEqual(keysOf("#one.two"), ["one", "two"]);
  assert.deepEqual(keysOf(""), [""]);
});
