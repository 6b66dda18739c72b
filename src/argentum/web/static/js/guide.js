// The guide of a first game: tips, advice, and previews of exchanges before they are sent.
/** @import { PicksMessage } from "../../script_types.ts" */
import { send } from "./connection.js";
import { find, findAll, get, onClick } from "./dom.js";
import { on } from "./events.js";
import { pageState } from "./page_state.js";
import { selection, spotsOf, syncSelection } from "./selection.js";
import { stage } from "./stage.js";
import * as store from "./store.js";

/** @type {{message: PicksMessage, cards: string} | null} */
let preview = null; // the server's last answer, and the choice and cards that it is about
let askedCards = ""; // the choice and cards last asked about

/** @param {string[]} spots */
const choiceAndCards = (spots) => `${pageState.choice} ${spots.join(" ")}`;

/** @param {PicksMessage} message */
export function showPreview(message) {
  preview = { message, cards: choiceAndCards(message.spots) };
  syncSelection();
}

/** Ask again for the preview of the selected cards, because an answer may have been lost. */
export function forgetPreview() {
  askedCards = "";
}

/** Ask the server for a preview of the selected cards, and show what it has answered. */
function requestPreview() {
  const guide = find(stage, "#guide:not([hidden])");
  const isOn = guide !== null && store.get("guide") !== "no";
  const exchange = find(stage, "[data-template^=exchange]");
  const hasPreviews = exchange && isOn && find(guide, "[data-exchange-preview]");
  const spots = hasPreviews && selection.size > 1 ? selection.among(spotsOf(exchange)) : [];
  const cards = spots.length ? choiceAndCards(spots) : "";
  if (cards && cards !== askedCards) send({ type: "preview_exchange", spots });
  askedCards = cards;
  const shown = cards && preview?.cards === cards ? preview.message : null;
  stage.classList.toggle("guided", isOn);
  markMismatch(exchange, shown?.fits === "differ");
  if (isOn) showTip(guide, shown);
}
on("selection-shown", requestPreview);

/**
 * Show on the prompt whether the selected cards differ.
 * @param {HTMLElement | null} exchange the button
 * @param {boolean} differ
 */
function markMismatch(exchange, differ) {
  find(stage, "#prompt")?.classList.toggle("mismatch", differ);
  const clearButton = find(stage, "[data-clear-selection]");
  if (clearButton) clearButton.hidden = !differ;
  exchange?.classList.toggle("main", !differ);
  const anyway = find(stage, "#guide [data-exchange-preview]")?.dataset.anyway;
  if (differ && exchange && anyway) get(exchange, ":scope > *").textContent = anyway;
}

/**
 * Show the preview of the selected cards, or else the guide's tip.
 * @param {HTMLElement} guide
 * @param {PicksMessage | null} shown
 */
function showTip(guide, shown) {
  const title = get(guide, ".tip b");
  title.textContent = shown?.title ?? title.dataset.title ?? "";
  guide.classList.toggle("exchange-preview", shown !== null);
  get(guide, "[data-tip]").hidden = shown !== null;
  showPreviewTexts(guide, shown);
  const example = find(guide, "[data-example]");
  if (example) example.hidden = !shown || shown.fits === "match";
  markTopicSeen(guide);
}

/**
 * @param {HTMLElement} guide
 * @param {PicksMessage | null} shown
 */
function showPreviewTexts(guide, shown) {
  const element = find(guide, "[data-exchange-preview]");
  if (!element) return;
  element.hidden = !shown;
  findAll(element, "span").forEach((span, index) => {
    span.textContent = [shown?.title, shown?.words][index] ?? "";
  });
  const points = get(guide, ".preview-points");
  points.hidden = !shown?.numbers;
  get(points, ":scope > :first-child").textContent = shown?.numbers ?? "";
  get(points, ":scope > :last-child").textContent = shown?.change ?? "";
}

/**
 * Remember that the reader has seen the guide's topic, and show which topics they have seen.
 * @param {HTMLElement} guide
 */
function markTopicSeen(guide) {
  const seen = new Set((store.get("lessons") ?? "").split(" ").filter(Boolean)).add(get(guide, ".dashes").dataset.topic ?? "");
  store.set("lessons", [...seen].join(" "));
  findAll(guide, ".dashes i").forEach((dash, index) => dash.classList.toggle("seen", seen.has(String(index + 1))));
}

/**
 * Outline the cards to select and the button to press for a move.
 * @param {string} move
 */
function highlightAdvice(move) {
  clearAdvice();
  const [verb, ...spots] = move.split(" ");
  const call = verb === "call" ? ["[data-call]"] : [];
  const selectors = [`[data-move="${move}"]`, `[data-template="${verb} {}"]`, ...call, ...spots.map((spot) => `[data-select="${spot}"]`)];
  for (const element of findAll(stage, selectors.join(", "))) element.classList.add("advised");
}

export function clearAdvice() {
  for (const element of findAll(stage, ".advised")) element.classList.remove("advised");
}

onClick("[data-show-me]", (button) => highlightAdvice(button.dataset.showMe ?? ""));
