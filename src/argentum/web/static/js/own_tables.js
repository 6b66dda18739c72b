// Stores tables and the results of games for the landing page.
"use strict";

const MAX_GAMES = 500;

function storeTable() {
  const name = stage.dataset.table;
  const key = location.hash.slice(1);
  if (key && !new URLSearchParams(location.search).has("game") && stage.dataset.page && !["invitation", "seat_in_use"].includes(stage.dataset.page)) {
    store.addToList("tables", { name, key, at: Date.now() }, (other) => other.name === name, constants.maxTables);
  }
}

function storeGame() {
  const result = document.querySelector("[data-result]")?.dataset.result;
  if (!result) return;
  const game = { ...JSON.parse(result), at: Date.now() };
  if (game.id !== storeGame.last) store.addToList("games", game, (other) => other.id === game.id, MAX_GAMES);
  storeGame.last = game.id;
}
