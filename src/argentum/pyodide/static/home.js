// Landing page of the static edition: forms lead to the table page, which creates the table; saved tables are listed.
/** @import { OwnTable } from "../../web/script_types.ts" */
import "../js/landing.js";
import { byId, create, get } from "../js/dom.js";
import * as store from "../js/store.js";

document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const to = new URL(event.target.getAttribute("action") ?? "", location.href);
  for (const [name, value] of new FormData(event.target)) to.searchParams.set(name, String(value));
  location.assign(to);
});

/** @type {OwnTable[]} */
const tables = store.list("tables");
const savedTables = byId("saved-tables");
get(savedTables, "ul").replaceChildren(...tables.map(({ name, key, at }) => {
  const when = create("span", { className: "quiet", textContent: at ? ` ${new Date(at).toLocaleString()}` : "" });
  return create("li", {}, create("a", { href: `table/?${name}#${key}`, textContent: name }), when);
}));
savedTables.hidden = !tables.length;

navigator.serviceWorker?.register("service-worker.js").catch(() => {}); // only offline play needs it
