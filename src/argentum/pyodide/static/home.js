// Landing page of the static edition: forms lead to the table page, which creates the table; saved tables are listed.
"use strict";

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const to = new URL(event.target.getAttribute("action"), location.href);
  for (const [name, value] of new FormData(event.target)) to.searchParams.set(name, value);
  location.assign(to);
});

const savedTables = document.getElementById("saved-tables");
const tables = store.list("tables");
for (const { name, key, at } of tables) {
  const link = Object.assign(document.createElement("a"), { href: `table/?${name}#${key}`, textContent: name });
  const when = Object.assign(document.createElement("span"), { className: "quiet", textContent: at ? ` ${new Date(at).toLocaleString()}` : "" });
  const item = document.createElement("li");
  item.append(link, when);
  savedTables.querySelector("ul").append(item);
}
savedTables.hidden = !tables.length;

navigator.serviceWorker?.register("service-worker.js").catch(() => {}); // only offline play needs it
