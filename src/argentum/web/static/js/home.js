// Landing page of a server: this browser's tables, newest first. The server knows their state; tables that no longer exist
// are removed. (The static edition has its own: pyodide/static/home.js.)
/** @import { OwnTable, TableState } from "../../script_types.ts" */
import "./landing.js";
import { byId, find, findAll, get } from "./dom.js";
import { constants, phrase } from "./phrases.js";
import * as store from "./store.js";

const MAX_SHOWN = 3;
const UPDATE_MS = 60_000;
const ownTables = byId("own-tables");
const showAll = byId("all-tables");
const pageTitle = document.title;
let listedStates = ""; // as last received
let updateTimer = 0;

/** List the tables. While a game goes on, the list and the page's title are updated every minute. */
async function listTables() {
  /** @type {OwnTable[]} */
  const tables = store.list("tables").slice(0, constants.maxTables);
  if (!tables.length) return;
  const form = new URLSearchParams({ tables: tables.map(({ name, key }) => `${name} ${key.split(".")[0]}`).join(" ") });
  const response = await fetch("/my-tables", { method: "POST", body: form }).catch(() => null);
  /** @type {TableState[] | null} */
  const states = response?.ok ? await response.json() : null;
  clearTimeout(updateTimer);
  if (!states || states.some(({ stage }) => stage === "playing")) updateTimer = setTimeout(listTables, UPDATE_MS);
  if (!states || JSON.stringify(states) === listedStates) return;
  listedStates = JSON.stringify(states);
  forgetDeletedTables(tables, states);
  showTables(states.sort((a, b) => Number(b.turn) - Number(a.turn)), new Map(tables.map(({ name, key }) => [name, key])));
}

/** @type {(asked: OwnTable[], states: TableState[]) => void} */
function forgetDeletedTables(asked, states) {
  const existing = new Set(states.map(({ name }) => name));
  const deleted = new Set(asked.map(({ name }) => name).filter((name) => !existing.has(name)));
  if (deleted.size) store.setList("tables", store.list("tables").filter(({ name }) => !deleted.has(name)));
}

/** @type {(states: TableState[], keys: Map<string, string>) => void} */
function showTables(states, keys) {
  const isTurn = states.some(({ turn }) => turn);
  document.title = isTurn ? phrase("your-turn-title", { title: pageTitle }) : pageTitle;
  get(ownTables, "ul").replaceChildren(...states.map((state, index) => tableRow(state, keys.get(state.name) ?? "", index)));
  ownTables.hidden = !states.length;
  showAll.hidden = states.length <= MAX_SHOWN;
}

/** @type {(table: TableState, key: string, index: number) => HTMLElement} */
function tableRow(table, key, index) {
  const row = get(/** @type {DocumentFragment} */ (byId("own-table", HTMLTemplateElement).content.cloneNode(true)), "li");
  row.hidden = index >= MAX_SHOWN;
  row.classList.toggle("turn", table.turn);
  const use = get(row, "use", SVGUseElement);
  const glyph = table.stage === "gathering" ? "person" : `phase-${constants.moons[table.round - 1]}`;
  use.setAttribute("href", `${use.getAttribute("href")}#${glyph}`);
  get(row, "strong").textContent = table.name;
  get(row, ".state").textContent = table.state;
  get(row, ".quiet").textContent = table.words;
  fillLinks(row, table, key);
  const forget = get(row, "[data-forget]");
  forget.ariaLabel = phrase("forget", { name: table.name });
  forget.addEventListener("click", () => {
    store.setList("tables", store.list("tables").filter(({ name }) => name !== table.name));
    row.remove();
    ownTables.hidden = !find(ownTables, "li");
  });
  return row;
}

/** @type {(row: HTMLElement, table: TableState, key: string) => void} */
function fillLinks(row, { name, stage, turn }, key) {
  const [open, review, replay] = findAll(row, "a", HTMLAnchorElement);
  const isOver = stage === "over";
  open.href = `/table/${name}#${key}`;
  open.textContent = phrase(isOver ? "result" : turn ? "take-your-seat" : "open");
  open.ariaLabel = `${open.textContent}: ${name}`;
  replay.href = `/table/${name}?at=0#${key}`;
  replay.hidden = !isOver;
  replay.ariaLabel = phrase("replay-of", { name });
  review.href = `/table/${name}?review#${key}`;
  review.hidden = !isOver || key.includes("."); // a shared device has no review
  review.ariaLabel = phrase("review-of", { name });
  open.hidden = !review.hidden; // the review leads to the result
}

showAll.addEventListener("click", () => {
  for (const row of findAll(ownTables, "li")) row.hidden = false;
  showAll.hidden = true;
});

listTables();
addEventListener("pageshow", ({ persisted }) => persisted && listTables());
document.addEventListener("visibilitychange", () => document.hidden || listTables());
navigator.serviceWorker?.register("/sw.js").catch(() => {}); // without https there is none
