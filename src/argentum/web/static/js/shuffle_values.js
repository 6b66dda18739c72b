// This browser's values for the shuffles: [{commitment, value}], newest first (see fairness.js).
import { randomHex } from "./hex.js";
import * as store from "./store.js";

const MAX_STORED = 12;

/**
 * Return the value that this browser has added to the game with a commitment, if any.
 * @param {string} commitment
 * @returns {string | undefined}
 */
export function shuffleValue(commitment) {
  return store.list("shuffle_values").find((entry) => entry.commitment === commitment)?.value;
}

/**
 * Return this browser's value for the game with a commitment, a new one if it has none.
 * @param {string} commitment
 */
export function addShuffleValue(commitment) {
  const value = shuffleValue(commitment) ?? randomHex();
  store.addToList("shuffle_values", { commitment, value }, (entry) => entry.commitment === commitment, MAX_STORED);
  return value;
}
