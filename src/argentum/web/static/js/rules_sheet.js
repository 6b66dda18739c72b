// The rules, opened over the table.
import { find, findAll, get } from "./dom.js";
import { hideHelp } from "./help.js";
import { stage } from "./stage.js";

const rules = stage.dataset.rules ?? "";

/** Selector of the links that open the sheet. */
export const RULES_LINK = `:is(#stage, #help) :is(a[href="${rules}"], a[href^="${rules}#"])`;

/**
 * Open the rules over the table, if the page has the sheet; else the browser follows the link.
 * @param {HTMLElement} link
 * @param {MouseEvent} event
 */
export function openRulesLink(link, event) {
  const sheet = document.getElementById("rules-sheet");
  if (!sheet || !(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  openRules(sheet, link.hash);
}

/**
 * Open the rules at a ruling, or at the last position.
 * @param {HTMLElement} sheet
 * @param {string} hash
 */
async function openRules(sheet, hash) {
  const body = get(sheet, ".rules-body");
  hideHelp();
  if (!body.firstChild) body.replaceChildren(...await fetchRules());
  if (!sheet.matches(":popover-open")) sheet.showPopover();
  if (hash) find(body, `[id="${CSS.escape(hash.slice(1))}"]`)?.scrollIntoView();
}

/** Return the content of the rules page. */
async function fetchRules() {
  const page = new DOMParser().parseFromString(await (await fetch(rules)).text(), "text/html");
  for (const element of findAll(page, "main script, main [data-resident]")) element.remove();
  // A link to a fragment would replace the seat's key in this page's URL.
  for (const link of findAll(page, "main a[href^='#']")) link.setAttribute("href", rules + link.getAttribute("href"));
  return get(page, "main").childNodes;
}
