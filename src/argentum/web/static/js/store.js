// localStorage under names that start with `argentum.`, because the static edition may share its origin with other sites.

const PREFIX = "argentum.";
// Names of version 1.0.0rc1 and current names. Each value is moved once.
/** @type {Record<string, string>} */
const OLD_NAMES = {
  name: "name", device: "device", tables: "tables", games: "games", theme: "theme", install: "install", lessons: "lessons",
  pace: "pace", sure: "confirm_call", guide: "guide", sounds: "sounds", notices: "notifications", fair: "shuffle_values",
  "replay-speed": "replay_speed",
};
/** @type {Record<string, Record<string, string>>} */
const OLD_VALUES = {
  theme: { night: "dark", dawn: "light" }, pace: { even: "normal" },
  sounds: { on: "yes", off: "no" }, notifications: { on: "yes", off: "no" },
};
const OLD_TABLE = "table "; // prefix of one key per table in the static edition

/** @param {string} name */
export const get = (name) => localStorage.getItem(PREFIX + name);
/** @type {(name: string, value: string) => void} */
export const set = (name, value) => localStorage.setItem(PREFIX + name, value);
/** @param {string} name */
export const remove = (name) => localStorage.removeItem(PREFIX + name);

/**
 * Return a stored list; an empty one if there is none or it is damaged.
 * @param {string} name
 * @returns {any[]}
 */
export function list(name) {
  try {
    const items = JSON.parse(get(name) ?? "[]");
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}

/** @type {(name: string, items: object[]) => void} */
export const setList = (name, items) => set(name, JSON.stringify(items));

/**
 * Put an item first in a stored list, in place of those that `replaces` matches, and drop the oldest over the limit.
 * @param {string} name
 * @param {object} item
 * @param {(other: any) => boolean} replaces
 * @param {number} limit
 */
export function addToList(name, item, replaces, limit) {
  setList(name, [item, ...list(name).filter((other) => !replaces(other))].slice(0, limit));
}

/** Move values of version 1.0.0rc1 to their current names. */
export function migrate() {
  for (const [old, name] of Object.entries(OLD_NAMES)) {
    const value = localStorage.getItem(old);
    if (value === null || get(name) !== null) continue;
    set(name, OLD_VALUES[name]?.[value] ?? value);
    localStorage.removeItem(old);
  }
  for (const old of Object.keys(localStorage).filter((key) => key.startsWith(OLD_TABLE))) migrateTable(old);
}

/** @param {string} old */
function migrateTable(old) {
  try {
    const [key, at] = JSON.parse(localStorage.getItem(old) ?? "");
    const table = { name: old.slice(OLD_TABLE.length), key, at };
    const others = list("tables").filter(({ name }) => name !== table.name);
    setList("tables", [table, ...others].sort((first, second) => (second.at ?? 0) - (first.at ?? 0)));
    localStorage.removeItem(old);
  } catch {
    // It is the key of another site.
  }
}

migrate();
