// Verifies the deals (docs/fairness.md). Before a game the server commits to its shuffles, and this browser adds a random
// value. After a round the server opens its part; this script deals again and compares.
"use strict";

const fairness = (() => {
  const outcomes = new Map(); // promises of results, by the opened round and what the page shows of it
  const seen = new Map(); // by game and round: the numbers of visible cards, by position in the deal
  let current = {}; // the last commitment, the socket that it came from, whether it takes a value, and whether that game has begun
  let shownGame = {}; // commitment of the last game on the page, and the socket that it came from
  let commitmentChanged = false; // within a lobby, or between a lobby and its game
  const ROUNDS = 4;
  const PARTS = 5; // one per round, and one for the shuffles during rounds
  const VILLAGE_SIZE = 5; // cards dealt to a seat
  const SEAT_LETTERS = "ABCD";
  const HEX_32_BYTES = /^[0-9a-f]{64}$/;
  const VALUE = /^[0-9A-Za-z_-]{1,64}$/;

  const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const utf8 = (text) => new TextEncoder().encode(text);
  const concatenate = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", concatenate(...parts)));

  // Commitments and this browser's values: [{commitment, value}], newest first. (The landing page adds some.)
  const readValues = () => store.list("shuffle_values");

  function storeValue(entry) {
    store.addToList("shuffle_values", entry, ({ commitment }) => commitment === entry.commitment, MAX_SHUFFLE_VALUES);
  }

  // Before the deal, remember the commitment and send our value. After it, check that the commitment is the same.
  function readCommitment() {
    const opened = document.querySelector("#stage [data-deal-check]")?.dataset.dealCheck;
    if (opened && JSON.parse(opened).round === ROUNDS) current = shownGame = {}; // the result page does not show the next game's commitment
    const { commitment, addValue } = document.querySelector("#stage [data-commitment]")?.dataset ?? {};
    if (!commitment) return;
    const sameSocket = current.socket === socket;
    const same = sameSocket && current.commitment === commitment;
    if (sameSocket && !same && (!addValue || !current.begun)) commitmentChanged = true; // a lobby has one commitment, and its game has the same
    if (!addValue) current.begun = true;
    if (commitmentChanged || !addValue || (same && current.addValue === addValue)) return; // a spectator who takes a seat adds one
    current = { socket, commitment, addValue };
    const value = readValues().find((entry) => entry.commitment === commitment)?.value ?? randomHex();
    storeValue({ commitment, value });
    if (addValue === "yes") send({ type: "shuffle_value", value });
  }

  // Until a card moves in a round, each card's position in the deal is known from its slot.
  function recordVisibleCards() {
    const { commitment: game, addValue } = document.querySelector("#stage [data-commitment]")?.dataset ?? {};
    if (game && !addValue) shownGame = { socket, commitment: game };
    const round = document.querySelector("[data-verifiable-round]")?.dataset.verifiableRound;
    if (!round) return;
    const numbers = seen.get(`${game} ${round}`) ?? new Map();
    for (const spot of document.querySelectorAll("#stage [data-slot]")) {
      const face = spot.querySelector("[data-face]")?.dataset.face.replace("back", "").replace("+", "");
      const [, village, position] = spot.dataset.slot.match(/^([A-D])(\d)$/) ?? [];
      if (face && village) numbers.set(SEAT_LETTERS.indexOf(village) * VILLAGE_SIZE + +position - 1, +face.slice(1));
      if (face && spot.dataset.slot === "pile") numbers.set(20, +face.slice(1));
    }
    seen.set(`${game} ${round}`, numbers);
  }

  // Yield 32-bit numbers from SHA-256 digests of the key and a counter.
  async function* randomWords(key) {
    for (let block = 0; ; block++) {
      const counter = new Uint8Array(8);
      new DataView(counter.buffer).setBigUint64(0, BigInt(block));
      const view = new DataView((await sha256(key, counter)).buffer);
      for (let offset = 0; offset < 32; offset += 4) yield view.getUint32(offset);
    }
  }

  // Return an unbiased random number below `bound`, from a generator of 32-bit numbers.
  async function randomBelow(bound, source) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const { value } = await source.next();
      if (value < limit) return value % bound;
    }
  }

  // Deal an opened round: return the starting seat as an index, and the numbers of all cards in the order of the deal.
  async function deal(open) {
    const values = [...SEAT_LETTERS].filter((seat) => seat in open.values).map((seat) => `${seat} ${open.values[seat]}\n`).join("");
    const source = randomWords(await sha256(utf8("argentum deal\n"), bytes(open.part), utf8(`\n${values}`)));
    const start = await randomBelow(open.villages.length, source);
    const order = [...Array(14).keys()].flatMap((number) => Array(number % 13 ? 4 : 2).fill(number));
    for (let last = order.length - 1; last > 0; last--) {
      const other = await randomBelow(last + 1, source);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return { start, order };
  }

  // Return whether an opened round is well-formed and is the round on the page.
  function isWellFormed(open, { round, players, people }) {
    return open.round === +round && open.round >= 1 && open.round <= ROUNDS
      && open.villages.length === +players && open.villages.every((village) => village.length === VILLAGE_SIZE)
      && open.digests.length === PARTS && [...open.digests, open.part, open.commitment].every((text) => HEX_32_BYTES.test(text))
      && Object.entries(open.values).every(([seat, value]) => [...people].includes(seat) && VALUE.test(value));
  }

  // Return what is wrong with an opened round, as one word; an empty string if nothing is wrong.
  async function findFault(open, page) {
    if (shownGame.socket === socket && shownGame.commitment !== open.commitment) return "game";
    if (!isWellFormed(open, page)) return "form";
    if (hex(await sha256(utf8("argentum part\n"), bytes(open.part))) !== open.digests[open.round - 1]) return "part";
    if (hex(await sha256(utf8("argentum commitment\n"), bytes(open.digests.join("")))) !== open.commitment) return "commitment";
    const { start, order } = await deal(open);
    const dealt = [...open.villages.flat(), open.discard, ...open.deck];
    const expected = [...order.slice(0, open.villages.length * 5), ...order.slice(20)];
    if (String(dealt) !== String(expected) || (open.round === 1 && start !== open.start)) return "cards";
    for (const [position, number] of seen.get(`${open.commitment} ${open.round}`) ?? []) if (order[position] !== number) return "seen";
    return "";
  }

  // Return the outcome of verifying an opened round: the end of a phrase's name (`deal-wrong`).
  async function verify(open, page) {
    if (!globalThis.crypto?.subtle) return "elsewhere";
    if (commitmentChanged || (await findFault(open, page))) return "wrong";
    const own = readValues().find((entry) => entry.commitment === open.commitment);
    if (!own) return "late";
    const seats = Object.keys(open.values).filter((seat) => open.values[seat] === own.value);
    if (!seats.every((seat) => [...page.you].includes(seat))) return "wrong";
    return seats.length ? "shared" : "promised";
  }

  // After a round, verify it once and show the outcome.
  async function showOutcome() {
    const element = document.querySelector("[data-deal-check]");
    if (!element) return;
    const { dealCheck: opened, round, players, people, you } = element.dataset;
    const key = [opened, round, players, people, you].join(" ");
    if (!outcomes.has(key)) outcomes.set(key, verify(JSON.parse(opened), { round, players, people, you }).catch(() => "wrong"));
    const outcome = await outcomes.get(key);
    const updated = document.querySelector("[data-deal-check]"); // the page may have changed meanwhile
    if (updated?.dataset.dealCheck !== opened) return;
    updated.dataset.outcome = outcome;
    updated.textContent = phrase(`deal-${outcome}`);
  }

  return {
    update() {
      recordVisibleCards();
      showOutcome();
      readCommitment();
    },
  };
})();
