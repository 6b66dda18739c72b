// Shows the HTML that the server sends. The rules are applied by the server.
"use strict";

let choiceNumber = null; // of the open choice; null if there is none
let lastChoice = null; // number of the previous choice
let lobbySeconds = null; // how long a new table has waited for players
const liveRegion = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });
document.body.prepend(liveRegion);

function applyPage(message) {
  choiceNumber = message.choice ?? null;
  lobbySeconds = message.lobby_seconds ?? null;
  document.body.dataset.connection = "open";
  if (message.title) document.title = message.title;
  deadline = message.clock === undefined ? 0 : performance.now() + message.clock * 1000;
  const motions = message.motions ?? [];
  const before = motions.length || stage.dataset.page === message.page ? slotRects() : new Map();
  const focus = document.activeElement?.closest("[data-slot]")?.dataset.slot;
  const hadFocus = document.activeElement !== document.body;
  const samePage = stage.dataset.page === message.page;
  const roundEnded = stage.dataset.page === "table" && message.page === "round_end";
  const typing = document.activeElement?.matches("input") ?? false; // do not overwrite a field that is being edited
  if (message.reset) fragments.length = 0;
  for (const [id, packed] of message.parts) {
    const html = packed.map(decodeFragment).join("");
    if (id === "stage") {
      closeSheets();
      Idiomorph.morph(stage, html, { morphStyle: "innerHTML", restoreFocus: true });
    } else Idiomorph.morph(document.getElementById(id), html, { morphStyle: "outerHTML", restoreFocus: true, ignoreActiveValue: typing, callbacks: KEEP_DIALOG_OPEN });
  }
  stage.dataset.page = message.page;
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  if (message.page !== "round_end") finishRoundEnd();
  if (message.page !== "table") cancelLooks();
  if (!samePage) scrollTo(0, 0);
  syncSelection();
  updateClocks();
  showRecentLines();
  if (hadFocus && document.activeElement === document.body) restoreFocus(focus);
  const isNewChoice = choiceNumber !== null && choiceNumber !== lastChoice;
  if (isNewChoice && lastChoice === null) onYourTurn();
  lastChoice = choiceNumber;
  if (isNewChoice) announcePrompt();
  if (samePage && !reducedMotion.matches) animateMoves(before, motions);
  if (samePage) drawSwitchPaths(motions);
  if (samePage && message.looks) showLooks(message.looks, isNewChoice);
  if (roundEnded && !reducedMotion.matches) playRoundEnd();
  fairness.update();
}

// Announce a new prompt to screen readers, and focus its controls if the keyboard is in use.
function announcePrompt() {
  const title = document.getElementById("prompt-title");
  if (!title) return;
  liveRegion.textContent = `${title.textContent} ${stage.querySelector("#prompt .detail")?.textContent ?? ""}`;
  if (usingKeyboard && !document.activeElement.closest("[popover], dialog, input")) restoreFocus("");
}

// The HTML of a part is a list of fragments: strings, nested lists, and numbers of fragments sent before on this connection.
const fragments = [];
function decodeFragment(fragment) {
  if (typeof fragment === "number") return fragments[fragment];
  const html = typeof fragment === "string" ? fragment : fragment.map(decodeFragment).join("");
  fragments.push(html);
  return html;
}

// The server's HTML has no `open` attribute, so updates would close an open dialog.
const KEEP_DIALOG_OPEN = {
  beforeAttributeUpdated: (name, node) => !(name === "open" && node instanceof HTMLDialogElement),
};
