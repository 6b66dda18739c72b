// The landing page of both editions: the stored name, this browser's games, and the offer to install.
/** @import { OwnGame } from "../../script_types.ts" */
import "./base.js";
import { byId, create, find, findAll, get } from "./dom.js";
import { hasPhrase, phrase } from "./phrases.js";
import { addShuffleValue } from "./shuffle_values.js";
import { gamesByBox, summarize } from "./statistics.js";
import * as store from "./store.js";

for (const field of findAll(document, 'input[name="name"]', HTMLInputElement)) {
  field.value = field.value || store.get("name") || "";
}
document.addEventListener("submit", ({ target }) => {
  if (!(target instanceof HTMLFormElement)) return;
  const playerName = find(document, 'input[name="name"]', HTMLInputElement)?.value ?? "";
  store.set("name", playerName);
  const promise = find(target, 'input[name="promise"]', HTMLInputElement)?.value; // of a game that begins at once
  if (promise) addField(target, "value", addShuffleValue(promise.split(" ")[0]));
  addField(target, "name", playerName);
  // In the static edition the action is ?new=tables.
  if (target.matches('[action$="tables"]')) addField(target, "boxes", get(document, 'input[name="boxes"]:checked', HTMLInputElement).value);
});

/**
 * Add a hidden field to a form, unless the form has a field of this name.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 */
function addField(form, name, value) {
  if (!find(form, `input[name="${name}"]`)) form.append(create("input", { type: "hidden", name, value }));
}

/** List this browser's results: a row per box, and one for all boxes. */
function listGames() {
  /** @type {OwnGame[]} */
  const games = store.list("games").filter((game) => Array.isArray(game.points) && game.points.length);
  byId("own-games").hidden = !games.length;
  const rows = gamesByBox(games, (box) => hasPhrase(`of-box-${box}`));
  get(document, "#own-games tbody").replaceChildren(...rows.map(([box, played]) => {
    const { won, meanPoints, calls, callsWon } = summarize(played);
    const cells = [played.length, won, meanPoints, calls ? phrase("calls-won", { won: callsWon, calls }) : "–"];
    const head = create("th", { scope: "row", textContent: phrase(`of-box-${box}`) });
    return create("tr", {}, head, ...cells.map((cell) => create("td", { textContent: String(cell) })));
  }));
}
byId("forget-games").addEventListener("click", () => {
  store.remove("games");
  listGames();
});
listGames();
addEventListener("pageshow", ({ persisted }) => persisted && listGames());

// Offer to install, until it is declined.
const install = byId("install");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  if (store.get("install") === "no") return;
  install.hidden = false;
  get(install, "[data-install]").onclick = () => {
    /** @type {Event & {prompt(): void}} */ (event).prompt();
    install.hidden = true;
  };
});
get(install, "[data-no-install]").addEventListener("click", () => {
  store.set("install", "no");
  install.hidden = true;
});
