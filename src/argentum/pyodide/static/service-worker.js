// Caches the whole static edition for offline use. A new version takes over when no page of the old one is open.
"use strict";

const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
const CACHE_PREFIX = "argentum ";

self.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(new URL(name, self.registration.scope), { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE_PREFIX + VERSION).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + VERSION) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  url.search = url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  const answer = async () => (await (await caches.open(CACHE_PREFIX + VERSION)).match(url.href)) ?? fetch(event.request);
  event.respondWith(answer());
});
