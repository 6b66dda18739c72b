// The page's URL.
"use strict";

// Return the page's path and query, with a replay position if one is given. In the static edition the query begins with the
// table's name.
function pageAddress(position) {
  const query = new URLSearchParams(location.search);
  query.delete("quick");
  query.delete("review");
  query.delete("eyes");
  if (position === undefined) query.delete("at");
  else query.set("at", position);
  return location.pathname + (String(query) && `?${query}`);
}
