// Clicks on the table page. Where controls are nested, the first action of the list applies.
import { cancelCall, confirmCall } from "./call.js";
import { send } from "./connection.js";
import { openSheet } from "./dialogs.js";
import { closest } from "./dom.js";
import { endLongPress, toggleHelp } from "./help.js";
import { fillTemplate } from "./message_template.js";
import { RULES_LINK, openRulesLink } from "./rules_sheet.js";
import { sendMove, sendSelection, toggleCard } from "./selection.js";

/** @type {[selector: string, act: (element: HTMLElement, event: MouseEvent) => void][]} */
const ACTIONS = [
  ["[data-open]", ({ dataset }) => openSheet(document.getElementById(dataset.open ?? ""))],
  ["[data-close]", (button) => button.closest("dialog")?.close()],
  ["[data-send]:not(:disabled)", ({ dataset }) => send(fillTemplate(dataset.send ?? "", ""))],
  ["[data-call]", confirmCall],
  ["[data-cancel-call]", cancelCall],
  [RULES_LINK, openRulesLink],
  ["[data-template]", sendSelection],
  ["[data-move]", ({ dataset }) => sendMove(dataset.move ?? "")],
  ["[data-select]", ({ dataset }) => toggleCard(dataset.select ?? "")],
  ["button[data-help]", toggleHelp],
];

document.addEventListener("click", (event) => {
  if (endLongPress()) return;
  for (const [selector, act] of ACTIONS) {
    const element = closest(event.target, selector);
    if (element) return act(element, event);
  }
});
