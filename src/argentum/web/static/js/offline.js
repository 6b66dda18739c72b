// The server is away: ask now and then, and open the page when it is back.
"use strict";
setInterval(async () => {
  const answer = await fetch("/health").catch(() => null);
  if (answer?.ok) location.reload();
}, 3000);
