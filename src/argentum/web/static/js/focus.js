// Whether keys are in use, and where the focus goes after an update.
import { currentSheet } from "./dialogs.js";
import { find } from "./dom.js";
import { stage } from "./stage.js";

let keysInUse = false;
for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, () => { keysInUse = type === "keydown"; }, true);

/** Whether the last input was a key. */
export const usingKeyboard = () => keysInUse;

/**
 * Focus the open sheet, the card in a slot, or else the first control of the prompt.
 * @param {string} [slot]
 */
export function restoreFocus(slot) {
  const sheet = currentSheet();
  if (sheet) return find(sheet, "[autofocus]")?.focus();
  const same = slot && find(stage, `[data-slot="${slot}"] [data-slot-button]`);
  const next = find(stage, ".legal [data-slot-button], #prompt button:not([disabled]), [data-autofocus]");
  (same || next || stage).focus({ preventScroll: true });
}

/**
 * Remember what has the focus; return a function that restores it if an update has removed it.
 */
export function rememberFocus() {
  const slot = document.activeElement?.closest("[data-slot]");
  const hadFocus = document.activeElement !== document.body;
  const name = slot instanceof HTMLElement ? slot.dataset.slot : undefined;
  return () => {
    if (hadFocus && document.activeElement === document.body) restoreFocus(name);
  };
}
