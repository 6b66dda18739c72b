// Caches the landing page and its files, which are shown while the server does not answer. While it answers, everything
// comes from the network.
"use strict";

const CACHE = "argentum-2";
const SHELL = ["/", "/offline", "/rules", "/static/css/home.css", "/static/css/text.css", "/static/css/rules.css", "/static/js/store.js", "/static/js/theme.js", "/static/js/dialogs.js", "/static/js/phrases.js", "/static/js/home.js", "/static/js/offline.js", "/static/glyphs.svg", "/static/favicon.svg", "/static/fonts/grenze-700.woff2", "/static/fonts/atkinson-400.woff2", "/static/fonts/atkinson-700.woff2"];
const PAGE_TIMEOUT_MS = 2500; // wait no longer for a page that is also cached

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const cleanUp = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(cleanUp.then(() => self.clients.claim()));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchPage(request, url.pathname));
  else if (url.pathname.startsWith("/static/")) event.respondWith(fetchFile(request));
});

async function fetchPage(request, path) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(path);
  const pending = fetch(request).then((response) => {
    if (response.ok && SHELL.includes(path)) cache.put(path, response.clone());
    return response;
  });
  try {
    return await (cached ? Promise.race([pending, new Promise((_, fail) => setTimeout(fail, PAGE_TIMEOUT_MS))]) : pending);
  } catch {
    pending.catch(() => {});
    return cached && path !== "/" ? cached : cache.match("/offline");
  }
}

async function fetchFile(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(request, response.clone());
    return response;
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}
