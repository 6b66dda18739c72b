// Statistics of this browser's games.
/** @import { OwnGame } from "../../script_types.ts" */

/**
 * Group games by their box, in alphabetical order; with several boxes, add a group of all games. Boxes that this edition
 * does not have are left out.
 * @param {OwnGame[]} games
 * @param {(box: string) => boolean} hasBox
 * @returns {[box: string, games: OwnGame[]][]}
 */
export function gamesByBox(games, hasBox) {
  const boxes = [...new Set(games.map((game) => game.box))].filter(hasBox).sort();
  /** @type {[string, OwnGame[]][]} */
  const groups = boxes.map((box) => [box, games.filter((game) => game.box === box)]);
  return boxes.length > 1 ? [...groups, ["all", games]] : groups;
}

/**
 * Count the games won and the calls, and format the mean points of a round.
 * @param {OwnGame[]} games
 */
export function summarize(games) {
  const points = games.flatMap((game) => game.points);
  const mean = points.reduce((sum, number) => sum + number, 0) / points.length;
  return {
    won: games.filter((game) => game.won).length,
    meanPoints: mean.toFixed(1).replace("-", "−"),
    calls: games.reduce((sum, game) => sum + game.calls, 0),
    callsWon: games.reduce((sum, game) => sum + game.calls_won, 0),
  };
}
