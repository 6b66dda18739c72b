// Replay. It can advance by itself, and the page's URL is a link to its position.
"use strict";

const replay = { timer: 0, position: () => document.getElementById("replay")?.dataset };

const replayDelayMs = () => store.get("replay_speed") ?? "1200"; // from move to move

function playReplay(on) {
  clearInterval(replay.timer);
  replay.timer = 0;
  if (on) {
    const step = () => {
      const { index, last } = replay.position() ?? {};
      if (index === undefined || +index >= +last) return playReplay(false);
      send({ type: "show_replay", at: +index + 1 });
    };
    replay.timer = setInterval(step, +replayDelayMs());
    step();
  }
  updatePlayButton();
}

function updatePlayButton() {
  const button = document.getElementById("replay-play");
  if (!button) return;
  const action = replay.timer ? "pause" : "play";
  if (button.getAttribute("aria-label") === phrase(action)) return;
  button.setAttribute("aria-label", phrase(action));
  const use = button.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${action}`));
}

// Put the replay's position into the page's URL, or open the position that the URL names.
function followReplay() {
  const search = new URLSearchParams(location.search);
  const position = replay.position();
  if (position) {
    if (search.get("at") !== position.index) history.replaceState(null, "", pageAddress(position.index) + location.hash);
    followReplay.begun = true;
    document.getElementById("replay-speed").value = replayDelayMs(); // an update resets it
    if (replay.timer && +position.index >= +position.last) playReplay(false);
    updatePlayButton();
  } else if (["game_end", "round_end", "lobby"].includes(stage.dataset.page) && search.has("at")) {
    playReplay(false);
    if (followReplay.begun) history.replaceState(null, "", pageAddress() + location.hash);
    else if (/^\d{1,5}$/.test(search.get("at"))) send({ type: "show_replay", at: +search.get("at"), eyes: search.get("eyes") ?? "" });
    followReplay.begun = true;
  }
}
new MutationObserver(followReplay).observe(document.getElementById("stage"), { attributes: true, childList: true, subtree: true, attributeFilter: ["data-page", "data-index", "aria-label"] });

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-replay-play], [data-copy-move], [data-copy-game]");
  if (!button) return;
  if (button.matches("[data-replay-play]")) return playReplay(!replay.timer);
  const url = new URL(button.dataset.copyMove ?? button.dataset.copyGame, location.href);
  url.searchParams.set("at", replay.position()?.index ?? 0);
  if (replay.position()?.viewer) url.searchParams.set("eyes", replay.position().viewer);
  const link = String(url);
  showToast((await copyText(link)) ? phrase("replay-copied") : link, 6000);
});
document.addEventListener("change", ({ target }) => {
  if (!target.matches("[data-replay-speed]")) return;
  store.set("replay_speed", target.value);
  if (replay.timer) playReplay(true);
});
