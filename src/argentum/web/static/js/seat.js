// The reader's seat: its keys in the page's URL, and the device that it is open on.
/** @import { SeatMessage } from "../../script_types.ts" */
import { keysOf, pageAddress } from "./address.js";
import { reconnect, send } from "./connection.js";
import { create, onClick } from "./dom.js";
import { randomHex } from "./hex.js";
import { storeTable } from "./own_tables.js";
import { phrase } from "./phrases.js";
import { sendPace } from "./preferences.js";
import { stage } from "./stage.js";
import * as store from "./store.js";

let isTakingOver = false; // from another device

/** Send the first message of a connection. */
export function sendJoin() {
  const [key, ...localKeys] = keysOf(location.hash);
  const game = new URLSearchParams(location.search).get("game"); // a link to a finished game
  const reloaded = removeReloadMark(); // the server then accepts the page in any version
  send({
    type: "join",
    table: stage.dataset.table,
    format: "html",
    name: store.get("name") || undefined, // used if nobody has claimed the seat yet
    device: deviceName(),
    key,
    local_keys: localKeys,
    build: stage.dataset.build,
    ...(reloaded && { reloaded }),
    ...(isTakingOver && { take_over: true }),
    ...(game && { game: Number(game) }),
  });
}

/** Return the name of this device, which all tabs of a browser send. */
function deviceName() {
  const stored = store.get("device");
  if (stored) return stored;
  const device = randomHex();
  store.set("device", device);
  return device;
}

/** Return whether the server has made the page reload, and remove the mark of it from the page's URL. */
function removeReloadMark() {
  const query = new URLSearchParams(location.search);
  if (!query.has("reload")) return false;
  query.delete("reload");
  history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  return true;
}

/**
 * Put the key of a seat that this browser has claimed into the page's URL. The connection is the seat's already. `beside`
 * marks a further seat on this device.
 * @param {SeatMessage} message
 */
export function takeSeat({ key, beside: isLocal }) {
  const keys = isLocal ? [...keysOf(location.hash), key] : [key];
  history.replaceState(null, "", `${pageAddress(location)}#${keys.join(".")}`);
  storeTable();
  sendPace();
}

/**
 * Show that the seat is open on another device (`elsewhere`), or has just moved there (`moved`).
 * @param {string} code
 */
export function showSeatInUse(code) {
  const texts = code === "moved" ? ["moved", "one-device", "back-here"] : ["open-elsewhere", "if-you", "move-here"];
  const [title, text, action] = texts.map((name) => phrase(name));
  const button = create("button", { type: "button", className: "button lamp main", textContent: action });
  button.dataset.moveHere = "";
  const home = create("a", { href: stage.dataset.home, className: "button", textContent: phrase("start-page") });
  stage.replaceChildren(create("section", { className: "single-page seat-in-use" },
    create("h1", { textContent: title }),
    create("p", { className: "lead", textContent: text }),
    create("div", { className: "page-actions" }, button, home)));
  stage.dataset.page = "seat_in_use";
  button.focus();
}

onClick("[data-move-here]", () => {
  isTakingOver = true;
  reconnect();
});
