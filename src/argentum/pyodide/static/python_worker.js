// Plays the server's part: starts Python, keeps what it writes down in the browser's database, and passes on what pages
// say. It is shared by all pages of the game, where the browser has shared workers.
import { loadPyodide } from "../../pyodide/pyodide.mjs";

const ROOT = new URL("../../", import.meta.url);
const pages = new Set();
let house = null; // a promise of it
let progress = { type: "progress", state: "loading", share: 0 };

// The page has the words for a state. Without a share there is nothing to measure.
function tell(state, share) {
  progress = { type: "progress", state, share };
  for (const page of pages) page.postMessage(progress);
}

// What is loaded is counted on the way, for the progress bar.
const DOWNLOADS = { "pyodide.asm.wasm": 0, "python_stdlib.zip": 0, "python.zip": 0 };
const plain = self.fetch.bind(self);
let total = 1;
let loaded = 0;
self.fetch = async (what, options) => {
  const answer = await plain(what, options);
  const name = new URL(answer.url || what).pathname.split("/").pop();
  if (answer.ok && name in DOWNLOADS) count(answer.clone().body); // a copy: browsers keep what they compiled of the answer itself
  return answer;
};

function count(body) {
  const counting = new WritableStream({
    write(chunk) {
      loaded += chunk.byteLength;
      if (progress.share < 1) tell("loading", Math.min(1, loaded / total));
    },
  });
  body.pipeTo(counting).catch(() => {}); // whoever loads it says what went wrong
}

// The database.

function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function openShelf() {
  const opening = indexedDB.open("argentum", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: ["table", "seq"] });
  return finished(opening).then((database) => ({
    async add(row) {
      const act = database.transaction("entries", "readwrite", { durability: "strict" });
      const done = new Promise((resolve, reject) => {
        act.oncomplete = () => resolve(true);
        act.onabort = () => (act.error?.name === "ConstraintError" ? resolve(false) : reject(act.error));
      });
      act.objectStore("entries").add(JSON.parse(row));
      return done;
    },
    async read(table) {
      const which = table ? IDBKeyRange.bound([table, 0], [table, Infinity]) : undefined;
      return JSON.stringify(await finished(database.transaction("entries").objectStore("entries").getAll(which)));
    },
    async remove(table) {
      const entries = database.transaction("entries", "readwrite").objectStore("entries");
      await finished(entries.delete(IDBKeyRange.bound([table, 0], [table, Infinity])));
    },
  }));
}

// The house.

// Where the browser has no shared workers, each window has a worker of its own, and two that write to one table would get
// in each other's way. So one of them is open at a time, and the next waits for it.
async function alone() {
  const turn = (ifAvailable) => new Promise((resolve) => {
    navigator.locks.request("argentum", { ifAvailable }, (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise(() => {}); // held until this worker ends
    });
  });
  if (!navigator.locks || (await turn(true))) return; // over plain http there are no locks
  tell("two-windows", null);
  await turn(false);
}

async function open() {
  await alone();
  const sizes = await (await plain(new URL("sizes.json", ROOT))).json();
  total = Object.keys(DOWNLOADS).reduce((sum, name) => sum + sizes[name], 0);
  tell("loading", 0);
  const [shelf, packed, python] = await Promise.all([
    openShelf(),
    fetch(new URL("python.zip", ROOT)).then((answer) => answer.arrayBuffer()),
    loadPyodide({ indexURL: new URL("pyodide/", ROOT).href }),
  ]);
  tell("setting", 1);
  python.unpackArchive(packed, "zip", { extractDir: "/argentum" });
  python.runPython("import sys; sys.path.insert(0, '/argentum')");
  return python.pyimport("argentum.pyodide.asgi").open_house(shelf);
}

function serve(page) {
  let line = null;
  pages.add(page);
  page.postMessage(progress);
  const acts = {
    async ask({ path, form }) {
      const answer = JSON.parse(await (await house).ask(path, JSON.stringify(form)));
      page.postMessage({ type: "answer", ...answer });
    },
    async open() {
      line = (await house).connect(
        (text) => page.postMessage({ type: "heard", text }),
        (code, reason) => page.postMessage({ type: "closed", code, reason }),
      );
      page.postMessage({ type: "opened" });
    },
    say: ({ text }) => line?.say(text),
    close() {
      line?.close();
      line = null;
      pages.delete(page);
    },
  };
  page.onmessage = async ({ data }) => {
    try {
      house ??= open();
      await acts[data.type](data);
    } catch (error) {
      page.postMessage({ type: "failed", words: String(error.message ?? error) });
    }
  };
}

if ("SharedWorkerGlobalScope" in self) self.onconnect = ({ ports: [page] }) => serve(page);
else serve(self);
