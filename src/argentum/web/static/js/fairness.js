// Deals that can be checked (docs/fairness.md). Before a game the server shows a commitment, and this browser adds a
// value of its own. When a round is over the server opens its part, and the page deals again and compares.
"use strict";

const fair = (() => {
  const KEPT = 12;
  const outcomes = new Map(); // by what was opened, and what it must agree with
  const seen = new Map(); // by game and round: the numbers that lay at places of the deal, as this page showed them
  let promised = {}; // what was promised last, the line on which that was said, and whether that game has begun
  let shown = {}; // the game whose table this page showed last, and the line on which it came
  let broken = false; // another game was dealt than the one that was promised, or two were promised in one lobby
  const LAST = 4; // round of a game
  const PARTS = 5; // one for each round, and one for the shuffles during the rounds
  const VILLAGE = 5; // cards that a seat is dealt
  const BYTES = /^[0-9a-f]{64}$/; // 32 of them
  const VALUE = /^[0-9A-Za-z_-]{1,64}$/;

  const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const text = (words) => new TextEncoder().encode(words);
  const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));

  // What this browser was promised, and its values: [{commitment, value}], the newest first. (The first page adds some.)
  function kept() {
    try {
      return JSON.parse(localStorage.getItem("fair") ?? "[]");
    } catch {
      return [];
    }
  }

  function keep(one) {
    const others = kept().filter(({ commitment }) => commitment !== one.commitment);
    localStorage.setItem("fair", JSON.stringify([one, ...others].slice(0, KEPT)));
  }

  // Before the deal: remember what is promised, and add our value to it. After it: is it the game that was promised?
  function hear() {
    const opened = document.querySelector("#stage [data-fair]")?.dataset.fair;
    if (opened && JSON.parse(opened).round === LAST) promised = shown = {}; // who stays there hears no promise for the next game
    const { commitment, share } = document.querySelector("#stage [data-commitment]")?.dataset ?? {};
    if (!commitment) return;
    const here = promised.line === socket;
    const same = here && promised.commitment === commitment;
    if (here && !same && (!share || !promised.begun)) broken = true; // a lobby promises one game, and that is dealt
    if (!share) promised.begun = true;
    if (broken || !share || same) return;
    promised = { line: socket, commitment };
    const value = kept().find((one) => one.commitment === commitment)?.value ?? hex(crypto.getRandomValues(new Uint8Array(16)));
    keep({ commitment, value });
    if (share === "yes") send({ type: "value", value });
  }

  // As long as no card has moved in a round, its place in the deal is plain to see.
  function note() {
    const { commitment: game, share } = document.querySelector("#stage [data-commitment]")?.dataset ?? {};
    if (game && !share) shown = { line: socket, commitment: game };
    const round = document.querySelector("[data-fresh]")?.dataset.fresh;
    if (!round) return;
    const noted = seen.get(`${game} ${round}`) ?? new Map();
    for (const spot of document.querySelectorAll("#stage [data-place]")) {
      const face = spot.querySelector("[data-face]")?.dataset.face.replace("back", "").replace("+", "");
      const [, village, nth] = spot.dataset.place.match(/^([A-D])(\d)$/) ?? [];
      if (face && village) noted.set("ABCD".indexOf(village) * 5 + +nth - 1, +face.slice(1));
      if (face && spot.dataset.place === "pile") noted.set(20, +face.slice(1));
    }
    seen.set(`${game} ${round}`, noted);
  }

  // Numbers of 32 bits from SHA-256 with a counter, numbers below a bound, and a deck in random order.
  async function* words(key) {
    for (let block = 0; ; block++) {
      const counter = new Uint8Array(8);
      new DataView(counter.buffer).setBigUint64(0, BigInt(block));
      const view = new DataView((await sha(key, counter)).buffer);
      for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
    }
  }

  async function below(bound, source) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    for (;;) {
      const { value } = await source.next();
      if (value < limit) return value % bound;
    }
  }

  async function dealt(open) {
    const said = "ABCD".split("").filter((seat) => seat in open.values).map((seat) => `${seat} ${open.values[seat]}\n`).join("");
    const source = words(await sha(text("argentum deal\n"), bytes(open.part), text(`\n${said}`)));
    const start = await below(open.villages.length, source);
    const order = [...Array(14).keys()].flatMap((number) => Array(number % 13 ? 4 : 2).fill(number));
    for (let place = order.length - 1; place > 0; place--) {
      const other = await below(place + 1, source);
      [order[place], order[other]] = [order[other], order[place]];
    }
    return { start, order };
  }

  // Whether an opened round has the form that it must have, and is the one that the page shows.
  function formed(open, { round, players, people }) {
    return open.round === +round && open.round >= 1 && open.round <= LAST
      && open.villages.length === +players && open.villages.every((village) => village.length === VILLAGE)
      && open.digests.length === PARTS && [...open.digests, open.part, open.commitment].every((text) => BYTES.test(text))
      && Object.entries(open.values).every(([seat, value]) => [...people].includes(seat) && VALUE.test(value));
  }

  // What is wrong with an opened round, or an empty text.
  async function fault(open, page) {
    if (shown.line === socket && shown.commitment !== open.commitment) return "game";
    if (!formed(open, page)) return "form";
    if (hex(await sha(text("argentum part\n"), bytes(open.part))) !== open.digests[open.round - 1]) return "part";
    if (hex(await sha(text("argentum commitment\n"), bytes(open.digests.join("")))) !== open.commitment) return "commitment";
    const { start, order } = await dealt(open);
    const said = [...open.villages.flat(), open.discard, ...open.deck];
    const due = [...order.slice(0, open.villages.length * 5), ...order.slice(20)];
    if (String(said) !== String(due) || (open.round === 1 && start !== open.start)) return "cards";
    for (const [place, number] of seen.get(`${open.commitment} ${open.round}`) ?? []) if (order[place] !== number) return "seen";
    return "";
  }

  async function check(open, page) {
    if (!globalThis.crypto?.subtle) return "elsewhere";
    if (broken || (await fault(open, page))) return "wrong";
    const mine = kept().find((one) => one.commitment === open.commitment);
    if (!mine) return "late";
    const seats = Object.keys(open.values).filter((seat) => open.values[seat] === mine.value);
    if (!seats.every((seat) => [...page.you].includes(seat))) return "wrong";
    return seats.length ? "shared" : "promised";
  }

  // After a round: check it once, and say what came out.
  async function tell() {
    const line = document.querySelector("[data-fair]");
    if (!line) return;
    const { fair: opened, round, players, people, you } = line.dataset;
    const key = [opened, round, players, people, you].join(" ");
    if (!outcomes.has(key)) outcomes.set(key, check(JSON.parse(opened), { round, players, people, you }).catch(() => "wrong"));
    const outcome = await outcomes.get(key);
    const here = document.querySelector("[data-fair]");
    if (here?.dataset.fair !== opened) return;
    here.dataset.outcome = outcome;
    here.textContent = phrase(`deal-${outcome}`);
  }

  return {
    look() {
      note();
      tell();
      hear();
    },
  };
})();
