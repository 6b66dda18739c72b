import assert from "node:assert/strict";
import test from "node:test";

import { fillStorage } from "./fake_storage.js";
import * as store from "../../../../src/argentum/web/static/js/store.js";

test("names have a prefix", () => {
  fillStorage({ name: "of another site" });
  store.set("name", "Ann");
  assert.deepEqual({ ...localStorage }, { "name": "of another site", "argentum.name": "Ann" });
  store.remove("name");
  assert.equal(store.get("name"), null);
});

test("a list that is missing or damaged is empty", () => {
  fillStorage({ "argentum.games": "{]", "argentum.tables": '"text"' });
  assert.deepEqual(["games", "tables", "shuffle_values"].map(store.list), [[], [], []]);
});

test("an added item is first, in place of others, and the oldest are dropped", () => {
  fillStorage({ "argentum.tables": '[{"name":"a"},{"name":"b"},{"name":"c"}]' });
  store.addToList("tables", { name: "b", key: "k" }, (other) => other.name === "b", 3);
  assert.deepEqual(store.list("tables"), [{ name: "b", key: "k" }, { name: "a" }, { name: "c" }]);
  store.addToList("tables", { name: "d" }, () => false, 3);
  assert.deepEqual(store.list("tables").map(({ name }) => name), ["d", "b", "a"]);
});

test("old names are moved, unless there is a current value", () => {
  fillStorage({ "theme": "night", "pace": "even", "sounds": "on", "sure": "no", "argentum.confirm_call": "yes" });
  store.migrate();
  assert.deepEqual({ ...localStorage }, {
    "argentum.theme": "dark", "argentum.pace": "normal", "argentum.sounds": "yes", "argentum.confirm_call": "yes", "sure": "no",
  });
});

test("a damaged table of the static edition is left alone", () => {
  fillStorage({ "table of another site": "7", "table lucky-badger": '["k2", 7]' });
  store.migrate();
  assert.deepEqual(store.list("tables"), [{ name: "lucky-badger", key: "k2", at: 7 }]);
  assert.equal(localStorage["table of another site"], "7");
});
