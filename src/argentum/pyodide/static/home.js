// Landing page of the static edition: forms lead to the table page, which creates the table; saved tables are listed.
"use strict";

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const to = new URL(event.target.getAttribute("action"), location.href);
  for (const [name, value] of new FormData(event.target)) to.searchParams.set(name, value);
  location.assign(to);
});

const savedTables = document.getElementById("kept");
const games = Object.keys(localStorage)
  .filter((name) => name.startsWith("table "))
  .map((name) => [name.slice(6), ...JSON.parse(localStorage.getItem(name))])
  .sort((first, second) => second[2] - first[2])
  .slice(0, 12);
for (const [name, key, at] of games) {
  const link = Object.assign(document.createElement("a"), { href: `table/?${name}#${key}`, textContent: name });
  const when = Object.assign(document.createElement("span"), { className: "quiet", textContent: ` ${new Date(at).toLocaleString()}` });
  const item = document.createElement("li");
  item.append(link, when);
  savedTables.querySelector("ul").append(item);
}
savedTables.hidden = !games.length;

navigator.serviceWorker?.register("service-worker.js").catch(() => {}); // only offline play needs it
