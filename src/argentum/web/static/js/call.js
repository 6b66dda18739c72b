// The confirmation of a call.
import { find, get } from "./dom.js";
import { usingKeyboard } from "./focus.js";
import { sendMove } from "./selection.js";
import { stage } from "./stage.js";
import * as store from "./store.js";

const ENABLED_AFTER_MS = 400; // so that a double tap does not confirm

/** Ask for the confirmation of a call, or send the call if confirmation is switched off. */
export function confirmCall() {
  const confirmation = find(stage, ".confirm");
  if (!confirmation) return;
  if (store.get("confirm_call") === "no") return sendMove("call");
  confirmation.hidden = false;
  const button = get(confirmation, "[data-move]", HTMLButtonElement);
  button.disabled = true;
  setTimeout(() => {
    button.disabled = false;
    if (usingKeyboard()) button.focus();
  }, ENABLED_AFTER_MS);
}

export function cancelCall() {
  const confirmation = find(stage, ".confirm");
  if (!confirmation) return;
  confirmation.hidden = true;
  get(confirmation, "[data-move]", HTMLButtonElement).disabled = false;
  find(stage, "[data-call]")?.focus();
}

export const isCallAsked = () => find(stage, ".confirm:not([hidden])") !== null;
