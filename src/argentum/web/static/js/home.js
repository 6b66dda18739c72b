// The first page: the name from last time, the tables and games that this browser has kept, and installing.
"use strict";

for (const field of document.querySelectorAll('input[name="name"]')) {
  field.value = field.value || localStorage.getItem("name") || "";
}
document.addEventListener("submit", ({ target }) => {
  const typed = document.querySelector('input[name="name"]')?.value ?? "";
  localStorage.setItem("name", typed);
  addValue(target);
  bring(target, "name", typed);
  if (target.matches('[action$="tables"]')) bring(target, "boxes", document.querySelector('input[name="boxes"]:checked').value);
});

// What was filled in for one way to play goes along with the others. (In the static edition the action is ?new=tables.)
function bring(form, name, value) {
  if (form.querySelector(`input[name="${name}"]`)) return;
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
}

// A game that begins at once gets this browser's share in its shuffles with the form (see fair.js).
function addValue(form) {
  const promise = form.querySelector('input[name="promise"]');
  if (!promise) return;
  const value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem("fair", JSON.stringify([{ commitment: promise.value.split(" ")[0], value }, ...kept("fair")].slice(0, 12)));
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "value", value }));
}

// Your tables: [{name, key}], the newest first. The server says how they stand; those that are gone are forgotten.
const SHOWN = 3;
const MOONS = ["crescent", "crescent", "half", "gibbous", "full"];
const ownTables = document.getElementById("own-tables");

function kept(what) {
  try {
    const found = JSON.parse(localStorage.getItem(what) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

async function listTables() {
  const tables = kept("tables").slice(0, 12);
  if (!tables.length) return;
  const asked = new URLSearchParams({ tables: tables.map(({ name, key }) => `${name} ${key.split(".")[0]}`).join(" ") });
  const answer = await fetch("/mine", { method: "POST", body: asked }).catch(() => null);
  if (!answer?.ok) return;
  const found = await answer.json();
  const keys = new Map(tables.map(({ name, key }) => [name, key]));
  localStorage.setItem("tables", JSON.stringify(found.map(({ name }) => ({ name, key: keys.get(name) }))));
  ownTables.querySelector("ul").replaceChildren(...found.map((one, nth) => row(one, keys.get(one.name), nth)));
  ownTables.hidden = !found.length;
  document.getElementById("all-tables").hidden = found.length <= SHOWN;
}

function row(one, key, nth) {
  const line = document.getElementById("own-table").content.cloneNode(true).firstElementChild;
  line.hidden = nth >= SHOWN;
  line.classList.toggle("turn", one.turn);
  const use = line.querySelector("use");
  use.setAttribute("href", `${use.getAttribute("href")}#${one.stage === "gathering" ? "person" : `phase-${MOONS[one.round]}`}`);
  line.querySelector("strong").textContent = one.name;
  line.querySelector(".state").textContent = one.state;
  line.querySelector(".quiet").textContent = one.words;
  const [open, study, again] = line.querySelectorAll("a");
  open.href = `/table/${one.name}#${key}`;
  open.textContent = phrase(one.stage === "over" ? "result" : one.turn ? "take-your-seat" : "open");
  open.setAttribute("aria-label", `${open.textContent}: ${one.name}`);
  again.href = `/table/${one.name}?at=0#${key}`;
  again.hidden = one.stage !== "over";
  again.setAttribute("aria-label", phrase("replay-of", one));
  study.href = `/table/${one.name}?review#${key}`;
  study.hidden = one.stage !== "over" || key.includes("."); // those who share a device have no review of their own
  open.hidden = !study.hidden; // from there one comes to the result
  study.setAttribute("aria-label", phrase("review-of", one));
  line.querySelector("[data-forget]").setAttribute("aria-label", phrase("forget", one));
  line.querySelector("[data-forget]").addEventListener("click", () => {
    localStorage.setItem("tables", JSON.stringify(kept("tables").filter(({ name }) => name !== one.name)));
    line.remove();
    ownTables.hidden = !ownTables.querySelector("li");
  });
  return line;
}

document.getElementById("all-tables").addEventListener("click", ({ target }) => {
  for (const line of ownTables.querySelectorAll("li")) line.hidden = false;
  target.hidden = true;
});

// Your games: one line for each box, and one for all.
function listGames() {
  const games = kept("games").filter((game) => Array.isArray(game.points) && game.points.length);
  document.getElementById("own-games").hidden = !games.length;
  const boxes = ["amulet", "bullet", "coin", "dagger", "mix"].filter((box) => games.some((game) => game.box === box));
  const lines = [...boxes.map((box) => [box, games.filter((game) => game.box === box)])];
  if (boxes.length > 1) lines.push(["all", games]);
  document.querySelector("#own-games tbody").replaceChildren(...lines.map(([box, some]) => {
    const points = some.flatMap((game) => game.points);
    const sum = (what) => some.reduce((total, game) => total + what(game), 0);
    const calls = sum((game) => game.calls);
    const cells = [some.length, sum((game) => +game.won), (points.reduce((a, b) => a + b, 0) / points.length).toFixed(1).replace("-", "−"), calls ? phrase("calls-won", { won: sum((game) => game.calls_won), calls }) : "–"];
    const line = document.createElement("tr");
    line.append(Object.assign(document.createElement("th"), { scope: "row", textContent: phrase(`of-box-${box}`) }), ...cells.map((cell) => Object.assign(document.createElement("td"), { textContent: cell })));
    return line;
  }));
}
document.getElementById("forget-games").addEventListener("click", () => {
  localStorage.removeItem("games");
  listGames();
});

// Installing: offered once, and never again after it was refused.
const install = document.getElementById("install");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  if (localStorage.getItem("install") === "no") return;
  install.hidden = false;
  install.querySelector("[data-install]").onclick = () => {
    event.prompt();
    install.hidden = true;
  };
});
install.querySelector("[data-no-install]").addEventListener("click", () => {
  localStorage.setItem("install", "no");
  install.hidden = true;
});

// The static edition lists its tables itself, and has a service worker of its own.
const served = !document.querySelector('meta[name="edition"][content="static"]');
if (served) listTables();
listGames();
addEventListener("pageshow", ({ persisted }) => persisted && (served && listTables(), listGames()));
if (served) navigator.serviceWorker?.register("/sw.js").catch(() => {}); // without https there is none
