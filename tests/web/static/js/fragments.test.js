import assert from "node:assert/strict";
import test from "node:test";

import { FragmentDecoder } from "../../../../src/argentum/web/static/js/fragments.js";

test("a number stands for a fragment that was sent before", () => {
  const decoder = new FragmentDecoder();
  assert.equal(decoder.decode(["<b>", "x", "</b>"]), "<b>x</b>");
  assert.equal(decoder.decode([0, "y", 2]), "<b>y</b>");
});

test("a list of fragments is a fragment too, after its parts", () => {
  const decoder = new FragmentDecoder();
  assert.equal(decoder.decode([["a", "b"], "c"]), "abc");
  assert.equal(decoder.decode([0, 1, 2, 3]), "ababc");
});

test("after a reset, numbers begin again", () => {
  const decoder = new FragmentDecoder();
  decoder.decode(["old"]);
  decoder.clear();
  assert.equal(decoder.decode(["new", 0]), "newnew");
});
