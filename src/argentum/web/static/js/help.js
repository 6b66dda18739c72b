// Help on a resident: hover, long press, or the ? key.
"use strict";

const help = document.getElementById("help");

let hoverTimer = 0;
let hoverTarget = null; // the element with help under the mouse
let pressTimer = 0;
let longPressed = false;
let helpTarget = null;

// Show help right of, left of, below or above its element, if possible without covering the prompt's buttons.
function showHelp(target) {
  const template = document.querySelector(`template[data-resident="${target.dataset.help}"]`);
  if (!template) return;
  helpTarget?.classList.remove("helped");
  helpTarget = target;
  target.classList.add("helped");
  help.querySelector(".help-body").replaceChildren(template.content.cloneNode(true));
  help.style.maxHeight = "";
  help.showPopover();
  help.scrollTop = 0;
  const box = target.getBoundingClientRect();
  const { width, height } = help.getBoundingClientRect();
  const clamp = (start, length, space) => Math.max(8, Math.min(start, space - length - 8));
  const left = clamp(box.left + box.width / 2 - width / 2, width, innerWidth);
  const above = Math.min(height, box.top - 18);
  const below = Math.min(height, innerHeight - box.bottom - 18);
  const buttons = [...stage.querySelectorAll("#prompt .choices button")].map((button) => button.getBoundingClientRect());
  const clearTops = buttons.flatMap((button) => [button.bottom + 8, button.top - 8 - height]);
  const tops = [box.top, ...clearTops].map((top) => clamp(top, height, innerHeight));
  const positions = [
    ...tops.map((top) => ({ left: box.right + 12, top, height, fits: box.right + 12 + width < innerWidth - 8 })),
    ...tops.map((top) => ({ left: box.left - 12 - width, top, height, fits: box.left - 12 - width > 8 })),
    { left, top: box.bottom + 10, height: below, fits: below === height },
    { left, top: box.top - 10 - above, height: above, fits: above === height },
  ];
  const coversNoButton = ({ left, top, height }) => buttons.every((button) => left >= button.right || left + width <= button.left || top >= button.bottom || top + height <= button.top);
  const fitting = positions.filter((position) => position.fits);
  const best = fitting.find(coversNoButton) ?? fitting[0] ?? positions.at(below >= above ? -2 : -1);
  help.style.maxHeight = `${best.height}px`;
  help.style.left = `${best.left}px`;
  help.style.top = `${best.top}px`;
}

function hideHelp() {
  helpTarget?.classList.remove("helped");
  helpTarget = null;
  if (help.matches(":popover-open")) help.hidePopover();
}

function toggleHelp(target) {
  if (helpTarget === target) hideHelp();
  else showHelp(target);
}

// Help opens when the mouse moves onto an element and stays there, not when an update moves the element under the mouse.
document.addEventListener("pointermove", ({ target, pointerType }) => {
  if (pointerType !== "mouse") return;
  const hovered = target.closest?.("[data-help], #help") ?? null;
  if (hovered === hoverTarget) return;
  hoverTarget = hovered;
  clearTimeout(hoverTimer);
  if (hovered?.dataset.help && hovered !== helpTarget) hoverTimer = setTimeout(() => showHelp(hovered), 550);
  else if (!hovered) hoverTimer = setTimeout(hideHelp, 350);
});
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  clearTimeout(hoverTimer);
  longPressed = false;
  if (!target.closest("#help")) hideHelp();
  const explained = target.closest("[data-help]");
  if (!explained || pointerType === "mouse") return;
  pressTimer = setTimeout(() => {
    longPressed = true;
    showHelp(explained);
  }, 450);
});
for (const type of ["pointerup", "pointercancel", "pointermove"]) {
  document.addEventListener(type, ({ movementX, movementY }) => {
    if (type !== "pointermove" || Math.hypot(movementX, movementY) > 3) clearTimeout(pressTimer);
  });
}
document.addEventListener("contextmenu", (event) => {
  if (longPressed || event.target.closest("[data-help]")) event.preventDefault();
});
help.addEventListener("toggle", ({ newState }) => newState === "closed" && hideHelp());
