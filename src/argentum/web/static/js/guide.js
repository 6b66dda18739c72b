// The guide of a first game: tips, advice, and previews of exchanges.
"use strict";

// In a first game the guide previews an exchange of the selected cards before it is sent. The server evaluates it.
let preview = null; // the server's last answer, with its choice and cards in `selection`
let previewOf = ""; // the choice and cards last asked about
function requestPreview() {
  const guide = stage.querySelector("#guide:not([hidden])");
  const on = guide && store.get("guide") !== "no";
  const exchange = stage.querySelector("[data-template^=exchange]");
  const previewElement = on && guide.querySelector("[data-exchange-preview]");
  const selected = previewElement && selection.size > 1 ? exchange.dataset.spots.split(" ").filter((spot) => selection.has(spot)) : [];
  const wanted = selected.length ? `${choiceNumber} ${selected.join(" ")}` : "";
  if (wanted && wanted !== previewOf) send({ type: "preview_exchange", spots: selected });
  previewOf = wanted;
  const shown = wanted && preview?.selection === wanted ? preview : null;
  const differ = shown?.fits === "differ";
  stage.classList.toggle("guided", Boolean(on));
  stage.querySelector("#prompt")?.classList.toggle("mismatch", differ);
  const clearButton = stage.querySelector("[data-clear-selection]");
  if (clearButton) clearButton.hidden = !differ;
  exchange?.classList.toggle("main", !differ);
  if (differ) exchange.firstElementChild.textContent = previewElement.dataset.anyway;
  if (on) showTip(guide, shown);
}

// Show the preview of the selected cards, or else the guide's tip.
function showTip(guide, shown) {
  const title = guide.querySelector(".tip b");
  title.textContent = shown?.title ?? title.dataset.title;
  guide.classList.toggle("exchange-preview", shown !== null);
  guide.querySelector("[data-tip]").hidden = shown !== null;
  const previewElement = guide.querySelector("[data-exchange-preview]");
  if (previewElement) {
    previewElement.hidden = !shown;
    previewElement.querySelectorAll("span").forEach((span, index) => { span.textContent = [shown?.title, shown?.words][index] ?? ""; });
    const points = guide.querySelector(".preview-points");
    points.hidden = !shown?.numbers;
    points.firstElementChild.textContent = shown?.numbers ?? "";
    points.lastElementChild.textContent = shown?.change ?? "";
  }
  const example = guide.querySelector("[data-example]");
  if (example) example.hidden = !shown || shown.fits === "match";
  const seen = new Set((store.get("lessons") ?? "").split(" ").filter(Boolean)).add(guide.querySelector(".dashes").dataset.topic);
  store.set("lessons", [...seen].join(" "));
  guide.querySelectorAll(".dashes i").forEach((dash, index) => dash.classList.toggle("seen", seen.has(String(index + 1))));
}

// Outline the cards to select and the button to press for a move.
function highlightAdvice(move) {
  for (const old of stage.querySelectorAll(".advised")) old.classList.remove("advised");
  const [verb, ...spots] = move.split(" ");
  const selectors = [`[data-move="${move}"]`, `[data-template="${verb} {}"]`, ...(verb === "call" ? ["[data-call]"] : []), ...spots.map((spot) => `[data-select="${spot}"]`)];
  for (const element of stage.querySelectorAll(selectors.join(", "))) element.classList.add("advised");
}
