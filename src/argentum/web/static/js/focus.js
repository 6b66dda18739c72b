// Where the focus goes after an update.
"use strict";

let usingKeyboard = false; // whether the last input was a key

// Focus the open sheet, the card in a slot, or else the first control of the prompt.
function restoreFocus(slot) {
  const sheet = currentSheet();
  if (sheet) return sheet.querySelector("[autofocus]").focus();
  const same = slot && stage.querySelector(`[data-slot="${slot}"] [data-slot-button]`);
  const next = stage.querySelector(".legal [data-slot-button], #prompt button:not([disabled]), [data-autofocus]");
  (same || next || stage).focus({ preventScroll: true });
}

for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, () => { usingKeyboard = type === "keydown"; }, true);
