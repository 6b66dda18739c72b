// Worker that runs the server application in Pyodide, stores its journal in IndexedDB, and connects it to the pages.
// Where the browser has shared workers, all pages of the game share it.
/** @import { PageMessageToWorker, WorkerMessage } from "../../web/script_types.ts" */
// @ts-expect-error: the build of the static edition adds this file
import { loadPyodide } from "../../pyodide/pyodide.mjs";

/**
 * A page: its port to a shared worker, or this worker itself.
 * @typedef {{postMessage(message: WorkerMessage): void, onmessage: ((event: MessageEvent<PageMessageToWorker>) => void) | null}} Page
 */
/**
 * The server in Python (pyodide/asgi.py).
 * @typedef {object} Server
 * @property {(path: string, form: string) => Promise<string>} post_form
 * @property {(onText: (text: string) => void, onClose: (code: number, reason: string) => void) => Socket} connect
 */
/** @typedef {{receive(text: string): void, close(): void}} Socket */

const ROOT = new URL("../../", import.meta.url);
/** @type {Set<Page>} */
const pages = new Set();
/** @type {Promise<Server> | undefined} */
let server;
/** @type {Extract<WorkerMessage, {type: "progress"}>} */
let progress = { type: "progress", state: "loading", share: 0 };

/**
 * @param {string} state the page has a phrase for each
 * @param {number | null} share null if the progress is unknown
 */
function reportProgress(state, share) {
  progress = { type: "progress", state, share };
  for (const page of pages) page.postMessage(progress);
}

// Count downloaded bytes for the progress bar.
const DOWNLOADS = ["pyodide.asm.wasm", "python_stdlib.zip", "python.zip"];
const originalFetch = self.fetch.bind(self);
let total = 1;
let loaded = 0;
self.fetch = async (resource, options) => {
  const answer = await originalFetch(resource, options);
  const name = new URL(answer.url).pathname.split("/").at(-1) ?? "";
  // Count a clone, because browsers cache the compiled code of the response itself.
  const { body } = answer.ok && DOWNLOADS.includes(name) ? answer.clone() : { body: null };
  if (body) countBytes(body);
  return answer;
};

/** @param {ReadableStream<Uint8Array>} body */
function countBytes(body) {
  const counting = new WritableStream({
    write(chunk) {
      loaded += chunk.byteLength;
      if ((progress.share ?? 1) < 1) reportProgress("loading", Math.min(1, loaded / total));
    },
  });
  body.pipeTo(counting).catch(() => {}); // the loader reports errors
}

// The database.

/**
 * Return the result of an IndexedDB request.
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
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
    /** @param {string} row */
    async add(row) {
      const transaction = database.transaction("entries", "readwrite", { durability: "strict" });
      /** @type {Promise<boolean>} */
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => (transaction.error?.name === "ConstraintError" ? resolve(false) : reject(transaction.error));
      });
      transaction.objectStore("entries").add(JSON.parse(row));
      return done;
    },
    /** @param {string} table */
    async read(table) {
      const range = table ? IDBKeyRange.bound([table, 0], [table, Infinity]) : undefined;
      return JSON.stringify(await requestResult(database.transaction("entries").objectStore("entries").getAll(range)));
    },
    /** @param {string} table */
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
  /** @type {(ifAvailable: boolean) => Promise<boolean>} */
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

/** @returns {Promise<Server>} */
async function openServer() {
  await waitForLock();
  const sizes = await (await originalFetch(new URL("sizes.json", ROOT))).json();
  total = DOWNLOADS.reduce((sum, name) => sum + sizes[name], 0);
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

/**
 * Handle the messages of a page.
 * @param {Page} page
 */
function serve(page) {
  /** @type {Socket | null} */
  let socket = null;
  pages.add(page);
  page.postMessage(progress);
  /** @param {PageMessageToWorker} message */
  const handle = async (message) => {
    server ??= openServer();
    if (message.type === "submit") {
      const answer = JSON.parse(await (await server).post_form(message.path, JSON.stringify(message.form)));
      page.postMessage({ type: "answer", ...answer });
    } else if (message.type === "open") {
      socket = (await server).connect(
        (text) => page.postMessage({ type: "received", text }),
        (code, reason) => page.postMessage({ type: "closed", code, reason }),
      );
      page.postMessage({ type: "opened" });
    } else if (message.type === "send") socket?.receive(message.text);
    else {
      socket?.close();
      socket = null;
      pages.delete(page);
    }
  };
  page.onmessage = ({ data }) => {
    handle(data).catch((error) => page.postMessage({ type: "failed", reason: String(error.message ?? error) }));
  };
}

const worker = /** @type {any} */ (self);
if ("SharedWorkerGlobalScope" in self) worker.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => serve(port);
else serve(worker);
