// Caches the whole static edition for offline use. A new version takes over when no page of the old one is open.
"use strict";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
const CACHE_PREFIX = "argentum ";

worker.addEventListener("install", (event) => {
  const fresh = FILES.map((name) => new Request(new URL(name, worker.registration.scope), { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE_PREFIX + VERSION).then((cache) => cache.addAll(fresh)));
});

worker.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(CACHE_PREFIX) && name !== CACHE_PREFIX + VERSION) await caches.delete(name);
    }
    await worker.clients.claim();
  };
  event.waitUntil(clean());
});

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(worker.registration.scope)) return;
  url.search = url.hash = "";
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  const answer = async () => (await (await caches.open(CACHE_PREFIX + VERSION)).match(url.href)) ?? fetch(event.request);
  event.respondWith(answer());
});
