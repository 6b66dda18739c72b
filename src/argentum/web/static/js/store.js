// localStorage under names that start with `argentum.`, because the static edition may share its origin with other sites.
"use strict";

const store = (() => {
  const PREFIX = "argentum.";
  // Names of version 1.0.0rc1 and current names. Each value is moved once.
  const OLD_NAMES = {
    name: "name", device: "device", tables: "tables", games: "games", theme: "theme", install: "install", lessons: "lessons",
    pace: "pace", sure: "confirm_call", guide: "guide", sounds: "sounds", notices: "notifications", fair: "shuffle_values",
    "replay-speed": "replay_speed",
  };
  const OLD_VALUES = {
    theme: { night: "dark", dawn: "light" }, pace: { even: "normal" },
    sounds: { on: "yes", off: "no" }, notifications: { on: "yes", off: "no" },
  };
  const OLD_TABLE = "table "; // prefix of one key per table in the static edition

  const get = (name) => localStorage.getItem(PREFIX + name);
  const set = (name, value) => localStorage.setItem(PREFIX + name, value);
  const remove = (name) => localStorage.removeItem(PREFIX + name);

  // Return a stored list; an empty one if there is none or it is damaged.
  function list(name) {
    try {
      const items = JSON.parse(get(name) ?? "[]");
      return Array.isArray(items) ? items : [];
    } catch {
      return [];
    }
  }

  // Put an item first in a stored list, in place of those that `replaces` matches, and drop the oldest over the limit.
  function addToList(name, item, replaces, limit) {
    set(name, JSON.stringify([item, ...list(name).filter((other) => !replaces(other))].slice(0, limit)));
  }

  function migrate() {
    for (const [old, name] of Object.entries(OLD_NAMES)) {
      const value = localStorage.getItem(old);
      if (value === null || get(name) !== null) continue;
      set(name, OLD_VALUES[name]?.[value] ?? value);
      localStorage.removeItem(old);
    }
    for (const old of Object.keys(localStorage).filter((key) => key.startsWith(OLD_TABLE))) migrateTable(old);
  }

  function migrateTable(old) {
    try {
      const [key, at] = JSON.parse(localStorage.getItem(old));
      const table = { name: old.slice(OLD_TABLE.length), key, at };
      const others = list("tables").filter(({ name }) => name !== table.name);
      set("tables", JSON.stringify([table, ...others].sort((first, second) => (second.at ?? 0) - (first.at ?? 0))));
      localStorage.removeItem(old);
    } catch {} // the key of another site
  }

  migrate();
  return { get, set, remove, list, addToList };
})();

const MAX_SHUFFLE_VALUES = 12; // stored, newest first

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const randomHex = () => hex(crypto.getRandomValues(new Uint8Array(16)));
