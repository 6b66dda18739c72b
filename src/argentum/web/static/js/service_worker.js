// Caches the landing page and its files, which are shown while the server does not answer. While it answers, everything
// comes from the network.
"use strict";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const CACHE = "argentum-@BUILD@";
const SHELL = ["@SHELL@"]; // the server fills in both (web/pages/assets.py)
const PAGE_TIMEOUT_MS = 2500; // wait no longer for a page that is also cached

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  const deleteOthers = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(deleteOthers());
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetchPage(request, url.pathname));
  else if (url.pathname.startsWith("/static/")) event.respondWith(fetchFile(request));
});

/** @type {(request: Request, path: string) => Promise<Response>} */
async function fetchPage(request, path) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(path);
  const pending = fetch(request).then((response) => {
    if (response.ok && SHELL.includes(path)) cache.put(path, response.clone());
    return response;
  });
  try {
    /** @type {Promise<never>} */
    const timeout = new Promise((_, fail) => setTimeout(fail, PAGE_TIMEOUT_MS));
    return await (cached ? Promise.race([pending, timeout]) : pending);
  } catch {
    pending.catch(() => {});
    return (cached && path !== "/" ? cached : await cache.match("/offline")) ?? Response.error();
  }
}

/** @type {(request: Request) => Promise<Response>} */
async function fetchFile(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) cache.put(request, response.clone());
    return response;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}
