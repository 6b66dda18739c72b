// Worker that runs the server application in Pyodide, stores its journal in IndexedDB, and connects it to the pages.
// Where the browser has shared workers, all pages of the game share it.
import { loadPyodide } from "../../pyodide/pyodide.mjs";

const ROOT = new URL("../../", import.meta.url);
const pages = new Set();
let server = null; // a promise of the running server
let progress = { type: "progress", state: "loading", share: 0 };

// The page has a phrase for each state. A share of null means that the progress is unknown.
function reportProgress(state, share) {
  progress = { type: "progress", state, share };
  for (const page of pages) page.postMessage(progress);
}

// Count downloaded bytes for the progress bar.
const DOWNLOADS = { "pyodide.asm.wasm": 0, "python_stdlib.zip": 0, "python.zip": 0 };
const originalFetch = self.fetch.bind(self);
let total = 1;
let loaded = 0;
self.fetch = async (resource, options) => {
  const answer = await originalFetch(resource, options);
  const name = new URL(answer.url || resource).pathname.split("/").pop();
  if (answer.ok && name in DOWNLOADS) countBytes(answer.clone().body); // a clone, because browsers cache the compiled code of the response itself
  return answer;
};

function countBytes(body) {
  const counting = new WritableStream({
    write(chunk) {
      loaded += chunk.byteLength;
      if (progress.share < 1) reportProgress("loading", Math.min(1, loaded / total));
    },
  });
  body.pipeTo(counting).catch(() => {}); // the loader reports errors
}

// The database.

// Return a promise of the result of an IndexedDB request.
function requestResult(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openStore() {
  const opening = indexedDB.open("argentum", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: ["table", "seq"] });
  return requestResult(opening).then((database) => ({
    async add(row) {
      const transaction = database.transaction("entries", "readwrite", { durability: "strict" });
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => (transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error));
      });
      transaction.objectStore("entries").add(JSON.parse(row));
      return done;
    },
    async read(table) {
      const range = table ? IDBKeyRange.bound([table, 0], [table, Infinity]) : undefined;
      return JSON.stringify(await requestResult(database.transaction("entries").objectStore("entries").getAll(range)));
    },
    async remove(table) {
      const entries = database.transaction("entries", "readwrite").objectStore("entries");
      await requestResult(entries.delete(IDBKeyRange.bound([table, 0], [table, Infinity])));
    },
  }));
}

// The server.

// Without shared workers each window has its own worker, and two that write to one table would conflict. A lock lets one
// of them run at a time.
async function waitForLock() {
  const requestLock = (ifAvailable) => new Promise((resolve) => {
    navigator.locks.request("argentum", { ifAvailable }, (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise(() => {}); // held until this worker ends
    });
  });
  if (!navigator.locks || (await requestLock(true))) return; // locks need a secure context
  reportProgress("two-windows", null);
  await requestLock(false);
}

async function openServer() {
  await waitForLock();
  const sizes = await (await originalFetch(new URL("sizes.json", ROOT))).json();
  total = Object.keys(DOWNLOADS).reduce((sum, name) => sum + sizes[name], 0);
  reportProgress("loading", 0);
  const [store, packed, python] = await Promise.all([
    openStore(),
    fetch(new URL("python.zip", ROOT)).then((answer) => answer.arrayBuffer()),
    loadPyodide({ indexURL: new URL("pyodide/", ROOT).href }),
  ]);
  reportProgress("setting", 1);
  python.unpackArchive(packed, "zip", { extractDir: "/argentum" });
  python.runPython("import sys; sys.path.insert(0, '/argentum')");
  return python.pyimport("argentum.pyodide.asgi").start_server(store);
}

// Handle the messages of a page.
function serve(page) {
  let socket = null;
  pages.add(page);
  page.postMessage(progress);
  const handlers = {
    async submit({ path, form }) {
      const answer = JSON.parse(await (await server).post_form(path, JSON.stringify(form)));
      page.postMessage({ type: "answer", ...answer });
    },
    async open() {
      socket = (await server).connect(
        (text) => page.postMessage({ type: "received", text }),
        (code, reason) => page.postMessage({ type: "closed", code, reason }),
      );
      page.postMessage({ type: "opened" });
    },
    send: ({ text }) => socket?.receive(text),
    close() {
      socket?.close();
      socket = null;
      pages.delete(page);
    },
  };
  page.onmessage = async ({ data }) => {
    try {
      server ??= openServer();
      await handlers[data.type](data);
    } catch (error) {
      page.postMessage({ type: "failed", reason: String(error.message ?? error) });
    }
  };
}

if ("SharedWorkerGlobalScope" in self) self.onconnect = ({ ports: [page] }) => serve(page);
else serve(self);
