// Stores tables and the results of games for the landing page.
/** @import { OwnTable } from "../../script_types.ts" */
import { find } from "./dom.js";
import { on } from "./events.js";
import { constants } from "./phrases.js";
import { stage } from "./stage.js";
import * as store from "./store.js";

const MAX_GAMES = 500;
const NOT_OWN = ["", "invitation", "seat_in_use"]; // pages of tables where the reader has no seat
let storedGame = "";

/** @param {OwnTable} table */
export function addOwnTable(table) {
  store.addToList("tables", table, (other) => other.name === table.name, constants.maxTables);
}

export function storeTable() {
  const { table: name = "", page = "" } = stage.dataset;
  const key = location.hash.slice(1);
  const isPastGame = new URLSearchParams(location.search).has("game");
  if (key && !isPastGame && !NOT_OWN.includes(page)) addOwnTable({ name, key, at: Date.now() });
}

function storeGame() {
  const result = find(document, "[data-result]")?.dataset.result;
  if (!result) return;
  const game = { ...JSON.parse(result), at: Date.now() };
  if (game.id !== storedGame) store.addToList("games", game, (other) => other.id === game.id, MAX_GAMES);
  storedGame = game.id;
}

on("page-shown", () => {
  storeTable();
  storeGame();
});
