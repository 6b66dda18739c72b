// The page's URL.

const OF_ONE_VISIT = ["quick", "review", "eyes", "at"]; // parameters that a link opens once

/**
 * Return a page's path and query, with a replay position if one is given. In the static edition the query begins with
 * the table's name.
 * @param {{pathname: string, search: string}} location
 * @param {string} [position]
 */
export function pageAddress({ pathname, search }, position) {
  const query = new URLSearchParams(search);
  if (position !== undefined) query.set("at", position); // in its place
  for (const name of OF_ONE_VISIT) if (name !== "at" || position === undefined) query.delete(name);
  return pathname + (query.size ? `?${query}` : "");
}

/**
 * Return the keys in a URL's fragment: one for a seat, several on a shared device.
 * @param {string} hash
 */
export const keysOf = (hash) => hash.slice(1).split(".");
