// The rules, opened over the table.
"use strict";

// Open the rules over the table, at a ruling or at the last position.
async function openRules(hash) {
  const sheet = document.getElementById("rules-sheet");
  const body = sheet.querySelector(".rules-body");
  hideHelp();
  if (!body.firstChild) {
    const page = new DOMParser().parseFromString(await (await fetch(stage.dataset.rules)).text(), "text/html");
    for (const element of page.querySelectorAll("main script, main [data-resident]")) element.remove();
    // A link to a fragment would replace the seat's key in this page's URL.
    for (const link of page.querySelectorAll("main a[href^='#']")) link.setAttribute("href", stage.dataset.rules + link.getAttribute("href"));
    body.replaceChildren(...page.querySelector("main").childNodes);
  }
  if (!sheet.matches(":popover-open")) sheet.showPopover();
  if (hash) body.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`)?.scrollIntoView();
}
