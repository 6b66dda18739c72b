// What the last page message said, besides the HTML of the page. Tests read it from the data of the body.
/** @import { PageMessage } from "../../script_types.ts" */

/** @type {{choice: number | null, lobbySeconds: number | null, deadline: number}} */
export const pageState = {
  choice: null, // number of the open choice
  lobbySeconds: null, // how long a new table has waited for players
  deadline: 0, // of the turn, on the clock of `performance`; 0 without a clock
};

/** @param {PageMessage} message */
export function setPageState(message) {
  pageState.choice = message.choice ?? null;
  pageState.lobbySeconds = message.lobby_seconds ?? null;
  pageState.deadline = message.clock === undefined ? 0 : performance.now() + message.clock * 1000;
  setData("choiceNumber", pageState.choice);
  setData("lobbySeconds", pageState.lobbySeconds);
}

/** @type {(name: string, value: number | null) => void} */
function setData(name, value) {
  if (value === null) delete document.body.dataset[name];
  else document.body.dataset[name] = String(value);
}
