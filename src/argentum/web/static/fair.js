// Deals that can be checked (docs/fairness.md). Before a game the server shows a commitment, and this browser adds a
// value of its own. When a round is over the server opens its part, and the page deals again and compares.
"use strict";

const fair = (() => {
  const KEPT = 12;
  const outcomes = new Map(); // by what was opened
  const seen = new Map(); // by game and round: the numbers that lay at places of the deal, as this page showed them
  let promised = {}; // what was promised last, and the line on which that was said
  let shown = {}; // the game whose table this page showed last, and the line on which it came
  let broken = false; // another game was dealt than the one that was promised
  const LAST = 4; // round of a game

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
    const same = promised.line === socket && promised.commitment === commitment;
    if (!share) broken ||= promised.line === socket && !same;
    if (!share || same) return;
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

  // What is wrong with an opened round, or an empty text.
  async function fault(open) {
    if (shown.line === socket && shown.commitment !== open.commitment) return "game";
    if (hex(await sha(text("argentum part\n"), bytes(open.part))) !== open.digests[open.round - 1]) return "part";
    if (hex(await sha(text("argentum commitment\n"), bytes(open.digests.join("")))) !== open.commitment) return "commitment";
    const { start, order } = await dealt(open);
    const said = [...open.villages.flat(), open.discard, ...open.deck];
    const due = [...order.slice(0, open.villages.length * 5), ...order.slice(20)];
    if (String(said) !== String(due) || (open.round === 1 && start !== open.start)) return "cards";
    for (const [place, number] of seen.get(`${open.commitment} ${open.round}`) ?? []) if (order[place] !== number) return "seen";
    return "";
  }

  async function check(open) {
    if (!globalThis.crypto?.subtle) return "elsewhere";
    if (broken || (await fault(open))) return "wrong";
    const mine = kept().find((one) => one.commitment === open.commitment);
    if (!mine) return "late";
    return Object.values(open.values).includes(mine.value) ? "shared" : "promised";
  }

  // After a round: check it once, and say what came out.
  async function tell() {
    const line = document.querySelector("[data-fair]");
    if (!line) return;
    const opened = line.dataset.fair;
    if (!outcomes.has(opened)) outcomes.set(opened, check(JSON.parse(opened)));
    const outcome = await outcomes.get(opened);
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
