// Help on a resident: hover, long press, or the ? key.
import { byId, closest, find, findAll, get } from "./dom.js";
import { helpPosition } from "./help_position.js";
import { stage } from "./stage.js";

const [HOVER_MS, LEAVE_MS, LONG_PRESS_MS, MAX_PRESS_MOTION] = [550, 350, 450, 3];
const help = byId("help");
let hoverTimer = 0;
/** @type {HTMLElement | null} */
let hoverTarget = null; // the element with help under the mouse
let pressTimer = 0;
let longPressed = false;
/** @type {HTMLElement | null} */
let helpTarget = null;

/** @param {HTMLElement} target */
export function showHelp(target) {
  const template = find(document, `template[data-resident="${target.dataset.help}"]`, HTMLTemplateElement);
  if (!template) return;
  helpTarget?.classList.remove("helped");
  helpTarget = target;
  target.classList.add("helped");
  get(help, ".help-body").replaceChildren(template.content.cloneNode(true));
  help.style.maxHeight = "";
  help.showPopover();
  help.scrollTop = 0;
  const buttons = findAll(stage, "#prompt .choices button").map((button) => button.getBoundingClientRect());
  const space = { width: innerWidth, height: innerHeight };
  const best = helpPosition(target.getBoundingClientRect(), help.getBoundingClientRect(), buttons, space);
  help.style.maxHeight = `${best.height}px`;
  help.style.left = `${best.left}px`;
  help.style.top = `${best.top}px`;
}

export function hideHelp() {
  helpTarget?.classList.remove("helped");
  helpTarget = null;
  if (help.matches(":popover-open")) help.hidePopover();
}

/** @param {HTMLElement} target */
export function toggleHelp(target) {
  if (helpTarget === target) hideHelp();
  else showHelp(target);
}

export const isHelpOpen = () => helpTarget !== null;

/** Whether a click ends a long press on a card with help, and so does nothing else. */
export function endLongPress() {
  const ended = longPressed;
  longPressed = false;
  return ended;
}

// Help opens when the mouse moves onto an element and stays there, not when an update moves the element under the mouse.
document.addEventListener("pointermove", ({ target, pointerType }) => {
  if (pointerType !== "mouse") return;
  const hovered = closest(target, "[data-help], #help");
  if (hovered === hoverTarget) return;
  hoverTarget = hovered;
  clearTimeout(hoverTimer);
  if (hovered?.dataset.help && hovered !== helpTarget) hoverTimer = setTimeout(() => showHelp(hovered), HOVER_MS);
  else if (!hovered) hoverTimer = setTimeout(hideHelp, LEAVE_MS);
});
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  clearTimeout(hoverTimer);
  longPressed = false;
  if (!closest(target, "#help")) hideHelp();
  const explained = closest(target, "[data-help]");
  if (!explained || pointerType === "mouse") return;
  pressTimer = setTimeout(() => {
    longPressed = true;
    showHelp(explained);
  }, LONG_PRESS_MS);
});
for (const type of /** @type {const} */ (["pointerup", "pointercancel", "pointermove"])) {
  document.addEventListener(type, ({ movementX, movementY }) => {
    if (type !== "pointermove" || Math.hypot(movementX, movementY) > MAX_PRESS_MOTION) clearTimeout(pressTimer);
  });
}
document.addEventListener("contextmenu", (event) => {
  if (longPressed || closest(event.target, "[data-help]")) event.preventDefault();
});
help.addEventListener("toggle", (event) => {
  if (event instanceof ToggleEvent && event.newState === "closed") hideHelp();
});
