// Verifies the deals (docs/fairness.md). Before a game the server commits to its shuffles, and this browser adds a random
// value. After a round the server opens its part; this script deals again and compares.
/** @import { OpenedRound, ShownRound } from "../../script_types.ts" */
import { connectionNumber, send } from "./connection.js";
import { findFault, positionInDeal } from "./deals.js";
import { find, findAll } from "./dom.js";
import { on } from "./events.js";
import { constants, phrase } from "./phrases.js";
import { addShuffleValue, shuffleValue } from "./shuffle_values.js";
import { stage } from "./stage.js";

/** @typedef {{connection: number, commitment: string, addValue: string, hasBegun: boolean}} SeenCommitment */

/** @type {Map<string, Promise<string>>} */
const outcomes = new Map(); // by the opened round and what the page shows of it
/** @type {Map<string, Map<number, number>>} */
const seen = new Map(); // by game and round: the numbers of visible cards, by position in the deal
/** @type {SeenCommitment | null} */
let current = null; // the last commitment, and whether its game has begun
/** @type {{connection: number, commitment: string} | null} */
let shownGame = null; // commitment of the last game on the page
let commitmentChanged = false; // within a lobby, or between a lobby and its game

on("page-shown", () => {
  recordVisibleCards();
  showOutcome();
  readCommitment();
});

/** Return the commitment on the page; `addValue` is "yes" or "no" in a lobby, and missing in a game. */
const commitmentOnPage = () => find(stage, "[data-commitment]")?.dataset ?? {};

/** Before the deal, remember the commitment and send our value. After it, check that the commitment is the same. */
function readCommitment() {
  forgetFinishedGame();
  const { commitment, addValue } = commitmentOnPage();
  if (!commitment) return;
  const known = current?.connection === connectionNumber() ? current : null;
  // A lobby has one commitment, and its game has the same.
  if (known && known.commitment !== commitment && (!addValue || !known.hasBegun)) commitmentChanged = true;
  if (!addValue && current) current.hasBegun = true;
  if (addValue && !commitmentChanged) joinShuffle(known, commitment, addValue);
}

/** Forget the commitment of a finished game, because the result page does not show that of the next. */
function forgetFinishedGame() {
  const opened = find(stage, "[data-deal-check]")?.dataset.dealCheck;
  if (opened && JSON.parse(opened).round === constants.roundsPerGame) current = shownGame = null;
}

/** @type {(known: SeenCommitment | null, commitment: string, addValue: string) => void} */
function joinShuffle(known, commitment, addValue) {
  // A spectator who takes a seat adds a value to the commitment that it knows.
  if (known?.commitment === commitment && known.addValue === addValue) return;
  current = { connection: connectionNumber(), commitment, addValue, hasBegun: false };
  const value = addShuffleValue(commitment);
  if (addValue === "yes") send({ type: "shuffle_value", value });
}

/** Until a card moves in a round, each card's position in the deal is known from its slot. */
function recordVisibleCards() {
  const { commitment, addValue } = commitmentOnPage();
  if (commitment && !addValue) shownGame = { connection: connectionNumber(), commitment };
  const round = find(document, "[data-verifiable-round]")?.dataset.verifiableRound;
  if (!round) return;
  const key = `${commitment} ${round}`;
  const numbers = seen.get(key) ?? new Map();
  for (const spot of findAll(stage, "[data-slot]")) {
    const face = find(spot, "[data-face]")?.dataset.face ?? "";
    const card = positionInDeal(spot.dataset.slot ?? "", face, constants);
    if (card) numbers.set(...card);
  }
  seen.set(key, numbers);
}

/**
 * Return the outcome of verifying an opened round: the end of a phrase's name (`deal-wrong`).
 * @param {OpenedRound} open
 * @param {ShownRound} shown
 */
async function verify(open, shown) {
  if (!globalThis.crypto?.subtle) return "elsewhere";
  const isOtherGame = shownGame?.connection === connectionNumber() && shownGame.commitment !== open.commitment;
  const numbers = seen.get(`${open.commitment} ${open.round}`) ?? new Map();
  if (commitmentChanged || isOtherGame || (await findFault(open, shown, numbers, constants))) return "wrong";
  const own = shuffleValue(open.commitment);
  if (own === undefined) return "late";
  const seats = Object.keys(open.values).filter((seat) => open.values[seat] === own);
  if (!seats.every((seat) => [...shown.you].includes(seat))) return "wrong";
  return seats.length ? "shared" : "promised";
}

/** After a round, verify it once and show the outcome. */
async function showOutcome() {
  const { dealCheck: opened, round = "", players = "", people = "", you = "" } = find(document, "[data-deal-check]")?.dataset ?? {};
  if (!opened) return;
  const shown = { round, players, people, you };
  const key = [opened, ...Object.values(shown)].join(" ");
  const outcome = outcomes.get(key) ?? verify(JSON.parse(opened), shown).catch(() => "wrong");
  outcomes.set(key, outcome);
  const name = await outcome;
  const updated = find(document, "[data-deal-check]"); // the page may have changed meanwhile
  if (updated?.dataset.dealCheck !== opened) return;
  updated.dataset.outcome = name;
  updated.textContent = phrase(`deal-${name}`);
}
