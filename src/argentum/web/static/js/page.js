// Shows the HTML that the server sends.
/** @import { Motion, PageMessage } from "../../script_types.ts" */
import { Idiomorph } from "../vendor/idiomorph.js";
import { animateMoves, reducedMotion, slotRects } from "./animation.js";
import { updateClocks } from "./clock.js";
import { byId, find, findAll } from "./dom.js";
import { emit } from "./events.js";
import { rememberFocus, restoreFocus, usingKeyboard } from "./focus.js";
import { FragmentDecoder } from "./fragments.js";
import { clearAdvice } from "./guide.js";
import { hideHelp } from "./help.js";
import { announce } from "./live_region.js";
import { cancelLooks, showLooks } from "./look.js";
import { pageState, setPageState } from "./page_state.js";
import { showRecentLines } from "./recent_lines.js";
import { finishRoundEnd, playRoundEnd } from "./round_end.js";
import { syncSelection } from "./selection.js";
import { stage } from "./stage.js";
import { drawSwitchPaths } from "./switch_paths.js";

const fragments = new FragmentDecoder();

/** @param {PageMessage} message */
export function applyPage(message) {
  const { page, motions = [] } = message;
  const previousPage = stage.dataset.page ?? "";
  const samePage = previousPage === page;
  const before = motions.length || samePage ? slotRects() : new Map();
  const restoreLostFocus = rememberFocus();
  const lastChoice = pageState.choice;
  setPageState(message);
  document.body.dataset.connection = "open";
  if (message.title) document.title = message.title;
  replaceParts(message);
  stage.dataset.page = page;
  if (!samePage) leavePage();
  clearAdvice();
  syncSelection();
  updateClocks();
  showRecentLines();
  restoreLostFocus();
  const isNewChoice = announceChoice(lastChoice);
  if (samePage) showMotions(before, motions);
  else if (previousPage === "table" && page === "round_end" && !reducedMotion.matches) playRoundEnd();
  if (samePage && message.looks) showLooks(message.looks, isNewChoice);
  emit("page-shown", { page, previousPage });
}

/** End what belongs to the previous page. */
function leavePage() {
  finishRoundEnd();
  cancelLooks();
  scrollTo(0, 0);
}

/** @type {(before: ReturnType<typeof slotRects>, motions: Motion[]) => void} */
function showMotions(before, motions) {
  if (!reducedMotion.matches) animateMoves(before, motions);
  drawSwitchPaths(motions);
}

/**
 * Announce a new choice; return whether there is one.
 * @param {number | null} lastChoice
 */
function announceChoice(lastChoice) {
  if (pageState.choice === null || pageState.choice === lastChoice) return false;
  if (lastChoice === null) emit("turn-began", null);
  announcePrompt();
  return true;
}

/** @param {PageMessage} message */
function replaceParts({ reset, parts }) {
  const isTyping = document.activeElement?.matches("input") ?? false; // do not overwrite a field that is being edited
  if (reset) fragments.clear();
  for (const [id, packed] of parts) {
    const html = fragments.decode(packed);
    if (id === "stage") {
      closeSheets();
      Idiomorph.morph(stage, html, { morphStyle: "innerHTML", restoreFocus: true });
    } else {
      const options = { morphStyle: "outerHTML", restoreFocus: true, ignoreActiveValue: isTyping, callbacks: KEEP_DIALOG_OPEN };
      Idiomorph.morph(byId(id), html, options);
    }
  }
}

// The server's HTML has no `open` attribute, so updates would close an open dialog.
const KEEP_DIALOG_OPEN = {
  /** @type {(name: string, node: Node) => boolean} */
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDialogElement),
};

function closeSheets() {
  for (const sheet of findAll(stage, "dialog[open]", HTMLDialogElement)) sheet.close();
  hideHelp();
}

/** Announce a new prompt to screen readers, and focus its controls if the keyboard is in use. */
function announcePrompt() {
  const title = document.getElementById("prompt-title");
  if (!title) return;
  announce(`${title.textContent} ${find(stage, "#prompt .detail")?.textContent ?? ""}`);
  if (usingKeyboard() && !document.activeElement?.closest("[popover], dialog, input")) restoreFocus();
}
