// Reloads the page once the server answers again.
import "./base.js";

setInterval(async () => {
  const response = await fetch("/health").catch(() => null);
  if (response?.ok) location.reload();
}, 3000);
