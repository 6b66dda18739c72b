// Replay. It can advance by itself, and the page's URL is a link to its position.
import { pageAddress } from "./address.js";
import { copyText } from "./clipboard.js";
import { send } from "./connection.js";
import { byId, find, get, onChange, onClick } from "./dom.js";
import { on } from "./events.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";
import * as store from "./store.js";
import { showToast } from "./toast.js";

let timer = 0; // 0 unless the replay advances by itself
let hasFollowedLink = false;

/** Return the index, the last index and the viewer of the replay on the page; undefined if there is none. */
const position = () => document.getElementById("replay")?.dataset;

/** Return the time from move to move: what the reader has chosen, or the page's default. */
const delayMs = () => store.get("replay_speed") ?? find(document, "#replay-speed [selected]", HTMLOptionElement)?.value ?? "";

function play() {
  clearInterval(timer);
  timer = setInterval(advance, Number(delayMs()));
  advance();
  updatePlayButton();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  updatePlayButton();
}

function advance() {
  const { index, last } = position() ?? {};
  if (index === undefined || Number(index) >= Number(last)) pause();
  else send({ type: "show_replay", at: Number(index) + 1 });
}

function updatePlayButton() {
  const button = document.getElementById("replay-play");
  if (!button) return;
  const action = timer ? "pause" : "play";
  if (button.ariaLabel === phrase(action)) return;
  button.ariaLabel = phrase(action);
  const use = get(button, "use", SVGUseElement);
  use.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, `#${action}`));
}

/** Put the replay's position into the page's URL, or open the position that the URL names. */
function followReplay() {
  const query = new URLSearchParams(location.search);
  const shown = position();
  if (shown) {
    if (query.get("at") !== shown.index) history.replaceState(null, "", pageAddress(location, shown.index) + location.hash);
    hasFollowedLink = true;
    byId("replay-speed", HTMLSelectElement).value = delayMs(); // an update resets it
    if (timer && Number(shown.index) >= Number(shown.last)) pause();
    updatePlayButton();
  } else if (["game_end", "round_end", "lobby"].includes(stage.dataset.page ?? "") && query.has("at")) {
    pause();
    openLinkedPosition(query);
  }
}
on("page-shown", followReplay);

/**
 * Open the position that the page's URL names; when the replay was left, remove it from the URL.
 * @param {URLSearchParams} query
 */
function openLinkedPosition(query) {
  const at = query.get("at") ?? "";
  if (hasFollowedLink) history.replaceState(null, "", pageAddress(location) + location.hash);
  else if (/^\d{1,5}$/.test(at)) send({ type: "show_replay", at: Number(at), eyes: query.get("eyes") ?? "" });
  hasFollowedLink = true;
}

onClick("[data-replay-play]", () => (timer ? pause() : play()));
onClick("[data-copy-move], [data-copy-game]", async ({ dataset }) => {
  const url = new URL(dataset.copyMove ?? dataset.copyGame ?? "", location.href);
  const { index = "0", viewer } = position() ?? {};
  url.searchParams.set("at", index);
  if (viewer) url.searchParams.set("eyes", viewer);
  showToast((await copyText(url.href)) ? phrase("replay-copied") : url.href, 6000);
});
onChange("[data-replay-speed]", ({ value }) => {
  store.set("replay_speed", value);
  if (timer) play();
});
