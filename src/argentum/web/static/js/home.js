// Landing page: the stored name, this browser's tables and games, and the offer to install.
"use strict";

for (const field of document.querySelectorAll('input[name="name"]')) {
  field.value = field.value || store.get("name") || "";
}
document.addEventListener("submit", ({ target }) => {
  const playerName = document.querySelector('input[name="name"]')?.value ?? "";
  store.set("name", playerName);
  addShuffleValue(target);
  addField(target, "name", playerName);
  // In the static edition the action is ?new=tables.
  if (target.matches('[action$="tables"]')) addField(target, "boxes", document.querySelector('input[name="boxes"]:checked').value);
});

// Add a hidden field to a form, unless the form has a field of this name.
function addField(form, name, value) {
  if (form.querySelector(`input[name="${name}"]`)) return;
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
}

// Add this browser's value for the shuffles to the form of a game that begins at once (see fairness.js).
function addShuffleValue(form) {
  const promise = form.querySelector('input[name="promise"]');
  if (!promise) return;
  const value = randomHex();
  store.addToList("shuffle_values", { commitment: promise.value.split(" ")[0], value }, () => false, MAX_SHUFFLE_VALUES);
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "value", value }));
}

// This browser's tables: [{name, key}], newest first. The server knows their state; tables that no longer exist are removed.
// While a game goes on, the list and the page's title are updated every minute, and when the page is shown again.
const MAX_SHOWN = 3;
const UPDATE_MS = 60_000;
const ownTables = document.getElementById("own-tables");
const pageTitle = document.title;
let listedStates = ""; // as last received

async function listTables() {
  const tables = store.list("tables").slice(0, constants.maxTables);
  if (!tables.length) return;
  const form = new URLSearchParams({ tables: tables.map(({ name, key }) => `${name} ${key.split(".")[0]}`).join(" ") });
  const response = await fetch("/my-tables", { method: "POST", body: form }).catch(() => null);
  const states = response?.ok ? (await response.json()).sort((a, b) => b.turn - a.turn) : null;
  clearTimeout(listTables.timer);
  if (!states || states.some(({ stage }) => stage === "playing")) listTables.timer = setTimeout(listTables, UPDATE_MS);
  if (!states || JSON.stringify(states) === listedStates) return;
  listedStates = JSON.stringify(states);
  document.title = states.some(({ turn }) => turn) ? phrase("your-turn-title", { title: pageTitle }) : pageTitle;
  const keys = new Map(tables.map(({ name, key }) => [name, key]));
  const gone = new Set([...keys.keys()].filter((name) => !states.some((table) => table.name === name)));
  if (gone.size) store.set("tables", JSON.stringify(store.list("tables").filter(({ name }) => !gone.has(name))));
  ownTables.querySelector("ul").replaceChildren(...states.map((table, index) => tableRow(table, keys.get(table.name), index)));
  ownTables.hidden = !states.length;
  document.getElementById("all-tables").hidden = states.length <= MAX_SHOWN;
}

function tableRow(table, key, index) {
  const line = document.getElementById("own-table").content.cloneNode(true).firstElementChild;
  line.hidden = index >= MAX_SHOWN;
  line.classList.toggle("turn", table.turn);
  const use = line.querySelector("use");
  use.setAttribute("href", `${use.getAttribute("href")}#${table.stage === "gathering" ? "person" : `phase-${constants.moons[table.round - 1]}`}`);
  line.querySelector("strong").textContent = table.name;
  line.querySelector(".state").textContent = table.state;
  line.querySelector(".quiet").textContent = table.words;
  const [open, review, replay] = line.querySelectorAll("a");
  open.href = `/table/${table.name}#${key}`;
  open.textContent = phrase(table.stage === "over" ? "result" : table.turn ? "take-your-seat" : "open");
  open.setAttribute("aria-label", `${open.textContent}: ${table.name}`);
  replay.href = `/table/${table.name}?at=0#${key}`;
  replay.hidden = table.stage !== "over";
  replay.setAttribute("aria-label", phrase("replay-of", table));
  review.href = `/table/${table.name}?review#${key}`;
  review.hidden = table.stage !== "over" || key.includes("."); // a shared device has no review
  open.hidden = !review.hidden; // the review leads to the result
  review.setAttribute("aria-label", phrase("review-of", table));
  line.querySelector("[data-forget]").setAttribute("aria-label", phrase("forget", table));
  line.querySelector("[data-forget]").addEventListener("click", () => {
    store.set("tables", JSON.stringify(store.list("tables").filter(({ name }) => name !== table.name)));
    line.remove();
    ownTables.hidden = !ownTables.querySelector("li");
  });
  return line;
}

document.getElementById("all-tables").addEventListener("click", ({ target }) => {
  for (const line of ownTables.querySelectorAll("li")) line.hidden = false;
  target.hidden = true;
});

// List this browser's results: a row per box, and one for all boxes.
function listGames() {
  const games = store.list("games").filter((game) => Array.isArray(game.points) && game.points.length);
  document.getElementById("own-games").hidden = !games.length;
  const boxes = [...new Set(games.map((game) => game.box))].filter((box) => `of-box-${box}` in phrases).sort();
  const lines = [...boxes.map((box) => [box, games.filter((game) => game.box === box)])];
  if (boxes.length > 1) lines.push(["all", games]);
  document.querySelector("#own-games tbody").replaceChildren(...lines.map(([box, played]) => {
    const points = played.flatMap((game) => game.points);
    const sum = (count) => played.reduce((total, game) => total + count(game), 0);
    const calls = sum((game) => game.calls);
    const cells = [played.length, sum((game) => +game.won), (points.reduce((a, b) => a + b, 0) / points.length).toFixed(1).replace("-", "−"), calls ? phrase("calls-won", { won: sum((game) => game.calls_won), calls }) : "–"];
    const line = document.createElement("tr");
    line.append(Object.assign(document.createElement("th"), { scope: "row", textContent: phrase(`of-box-${box}`) }), ...cells.map((cell) => Object.assign(document.createElement("td"), { textContent: cell })));
    return line;
  }));
}
document.getElementById("forget-games").addEventListener("click", () => {
  store.remove("games");
  listGames();
});

// Offer to install, until it is declined.
const install = document.getElementById("install");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  if (store.get("install") === "no") return;
  install.hidden = false;
  install.querySelector("[data-install]").onclick = () => {
    event.prompt();
    install.hidden = true;
  };
});
install.querySelector("[data-no-install]").addEventListener("click", () => {
  store.set("install", "no");
  install.hidden = true;
});

// The static edition lists its own tables and has its own service worker (pyodide/static/home.js).
const hasServer = !document.querySelector('meta[name="edition"][content="static"]');
if (hasServer) listTables();
listGames();
addEventListener("pageshow", ({ persisted }) => persisted && (hasServer && listTables(), listGames()));
document.addEventListener("visibilitychange", () => hasServer && !document.hidden && listTables());
if (hasServer) navigator.serviceWorker?.register("/sw.js").catch(() => {}); // without https there is none
