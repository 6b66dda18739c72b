// Caches the shell of the landing page for when the server does not answer. As long as it answers, everything comes from
// the network.
"use strict";

const CACHE = "argentum-2";
const SHELL = ["/", "/away", "/rules", "/static/css/base.css", "/static/css/site.css", "/static/css/pages.css", "/static/css/rules.css", "/static/js/theme.js", "/static/js/dialogs.js", "/static/js/phrases.js", "/static/js/home.js", "/static/js/offline.js", "/static/glyphs.svg", "/static/favicon.svg", "/static/fonts/grenze-700.woff2", "/static/fonts/atkinson-400.woff2", "/static/fonts/atkinson-700.woff2"];
const PAGE_TIMEOUT_MS = 2500; // for a page that is cached too

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, url.pathname));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function page(request, path) {
  const cache = await caches.open(CACHE);
  const here = await cache.match(path);
  const asked = fetch(request).then((answer) => {
    if (answer.ok && SHELL.includes(path)) cache.put(path, answer.clone());
    return answer;
  });
  try {
    return await (here ? Promise.race([asked, new Promise((_, fail) => setTimeout(fail, PAGE_TIMEOUT_MS))]) : asked);
  } catch {
    asked.catch(() => {});
    return here && path !== "/" ? here : cache.match("/away");
  }
}

async function file(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}
