// Applies the stored theme before the first paint, which a module would be too late for; settings.js changes it.
"use strict";
{
  const theme = localStorage.getItem("argentum.theme");
  if (theme) document.documentElement.dataset.theme = theme;
}
