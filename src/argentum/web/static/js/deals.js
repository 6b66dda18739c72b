// Deals again from what the server reveals of a finished round (docs/fairness.md), and compares.
/** @import { Constants, OpenedRound, ShownRound } from "../../script_types.ts" */
import { bytesOfHex, hex } from "./hex.js";

/** @typedef {Pick<Constants, "deckNumbers" | "roundsPerGame" | "seatLetters" | "villageSize">} GameSizes */

const HEX_32_BYTES = /^[0-9a-f]{64}$/;
const VALUE = /^[0-9A-Za-z_-]{1,64}$/;

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** @param {...Uint8Array} parts */
async function sha256(...parts) {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Yield 32-bit numbers from SHA-256 digests of the key and a counter.
 * @param {Uint8Array} key
 * @returns {AsyncGenerator<number, never>}
 */
async function* randomWords(key) {
  for (let block = 0; ; block++) {
    const counter = new Uint8Array(8);
    new DataView(counter.buffer).setBigUint64(0, BigInt(block));
    const view = new DataView((await sha256(key, counter)).buffer);
    for (let offset = 0; offset < 32; offset += 4) yield view.getUint32(offset);
  }
}

/**
 * Return an unbiased random number below `bound`, from a generator of 32-bit numbers.
 * @param {number} bound
 * @param {AsyncGenerator<number, never>} source
 */
async function randomBelow(bound, source) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const { value } = await source.next();
    if (value < limit) return value % bound;
  }
}

/**
 * Deal an opened round: return the starting seat as an index, and the numbers of all cards in the order of the deal.
 * @param {OpenedRound} open
 * @param {GameSizes} sizes
 */
export async function deal(open, { deckNumbers, seatLetters }) {
  const values = [...seatLetters].filter((seat) => seat in open.values).map((seat) => `${seat} ${open.values[seat]}\n`).join("");
  const source = randomWords(await sha256(utf8("argentum deal\n"), bytesOfHex(open.part), utf8(`\n${values}`)));
  const start = await randomBelow(open.villages.length, source);
  const order = [...deckNumbers];
  for (let last = order.length - 1; last > 0; last--) {
    const other = await randomBelow(last + 1, source);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return { start, order };
}

/**
 * Whether an opened round is well-formed and is the round on the page.
 * @param {OpenedRound} open
 * @param {ShownRound} shown
 * @param {GameSizes} sizes
 */
function isWellFormed(open, { round, players, people }, { roundsPerGame, villageSize }) {
  return open.round === Number(round) && open.round >= 1 && open.round <= roundsPerGame
    && open.villages.length === Number(players) && open.villages.every((village) => village.length === villageSize)
    && open.digests.length === roundsPerGame + 1 // one per round, and one for the shuffles during rounds
    && [...open.digests, open.part, open.commitment].every((text) => HEX_32_BYTES.test(text))
    && Object.entries(open.values).every(([seat, value]) => [...people].includes(seat) && VALUE.test(value));
}

/**
 * Return what is wrong with an opened round, as one word; an empty string if nothing is wrong.
 * @param {OpenedRound} open
 * @param {ShownRound} shown
 * @param {Map<number, number>} seen numbers of cards that the page has shown, by position in the deal
 * @param {GameSizes} sizes
 */
export async function findFault(open, shown, seen, sizes) {
  if (!isWellFormed(open, shown, sizes)) return "form";
  if (hex(await sha256(utf8("argentum part\n"), bytesOfHex(open.part))) !== open.digests[open.round - 1]) return "part";
  if (hex(await sha256(utf8("argentum commitment\n"), bytesOfHex(open.digests.join("")))) !== open.commitment) return "commitment";
  const { start, order } = await deal(open, sizes);
  const dealt = [...open.villages.flat(), open.discard, ...open.deck];
  const inVillages = order.slice(0, open.villages.length * sizes.villageSize);
  const expected = [...inVillages, ...order.slice(sizes.seatLetters.length * sizes.villageSize)];
  if (String(dealt) !== String(expected) || (open.round === 1 && start !== open.start)) return "cards";
  return [...seen].some(([position, number]) => order[position] !== number) ? "seen" : "";
}

/**
 * Return the position in the deal of the card in a slot, and its number; null if the slot or the card is not of the deal.
 * @param {string} slot
 * @param {string} face such as `d7`; `back` if it is unknown; `backd7` or `d7+` if the reader knows it, or it is marked
 * @param {GameSizes} sizes
 * @returns {[position: number, number: number] | null}
 */
export function positionInDeal(slot, face, { seatLetters, villageSize }) {
  const label = face.replace("back", "").replace("+", "");
  const seat = seatLetters.indexOf(slot[0]);
  if (!label) return null;
  if (slot === "pile") return [seatLetters.length * villageSize, Number(label.slice(1))];
  return seat >= 0 && /^.\d$/.test(slot) ? [seat * villageSize + Number(slot[1]) - 1, Number(label.slice(1))] : null;
}
