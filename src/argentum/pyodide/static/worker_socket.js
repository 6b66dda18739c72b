// What a table page of the static edition has in place of a WebSocket: a connection to the worker that runs Python.
/** @import { PageSocket, WorkerMessage } from "../../web/script_types.ts" */
import { setSocketFactory } from "../js/connection.js";
import { create, find } from "../js/dom.js";
import { addOwnTable } from "../js/own_tables.js";
import { phrase } from "../js/phrases.js";
import { stage } from "../js/stage.js";

/** @implements {PageSocket} */
class WorkerSocket {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  /** @type {PageSocket["onopen"]} */
  onopen = null;
  /** @type {PageSocket["onmessage"]} */
  onmessage = null;
  /** @type {PageSocket["onclose"]} */
  onclose = null;
  /** @type {Worker | null} */
  #ownWorker = null; // where pages cannot share one
  /** @type {MessagePort | Worker} */
  #port;

  constructor() {
    const script = new URL("../static/pyodide/python_worker.js", location.href);
    if (globalThis.SharedWorker) this.#port = new SharedWorker(script, { type: "module", name: "argentum" }).port;
    else this.#port = this.#ownWorker = new Worker(script, { type: "module" });
    this.#port.onmessage = (/** @type {MessageEvent<WorkerMessage>} */ { data }) => this.#handle(data);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    this.#begin();
  }

  /** Create a new table by posting the form in the page's URL, or open the table that the URL names. */
  #begin() {
    const form = new URLSearchParams(location.search);
    const action = form.get("new");
    if (!action) return this.#openTable();
    form.delete("new");
    this.#port.postMessage({ type: "submit", path: `/${action}`, form: Object.fromEntries(form) });
  }

  #openTable() {
    const [name] = new URLSearchParams(location.search).keys(); // the number of a replayed move may follow
    stage.dataset.table = name;
    if (location.hash) addOwnTable({ name, key: location.hash.slice(1), at: Date.now() });
    this.#port.postMessage({ type: "open" });
  }

  /** @param {WorkerMessage} message */
  #handle(message) {
    if (message.type === "progress") showProgress(message);
    else if (message.type === "answer") this.#openAnswer(message);
    else if (message.type === "received") this.onmessage?.({ data: message.text });
    else if (message.type === "failed") this.#fail(message.reason);
    else if (message.type === "opened") {
      this.readyState = WebSocket.OPEN;
      this.onopen?.(null);
    } else {
      this.close(); // the next socket has its own port
      this.onclose?.({ code: message.code });
    }
  }

  /** @param {{to: string, page: string}} answer to a form */
  #openAnswer({ to, page }) {
    if (!to) return this.#fail(new DOMParser().parseFromString(page, "text/html").querySelector(".lead")?.textContent ?? "");
    history.replaceState(null, "", to); // so that a reload restores the seat
    this.#openTable();
  }

  /** @param {string} reason */
  #fail(reason) {
    const opening = find(document, ".opening");
    if (opening) opening.textContent = phrase("not-opened", { words: reason || phrase("some-fault") });
    else this.onmessage?.({ data: JSON.stringify({ type: "error", code: "broken", message: reason }) });
  }

  /** @param {string} text */
  send(text) {
    this.#port.postMessage({ type: "send", text });
  }

  close() {
    this.readyState = WebSocket.CLOSED;
    this.#port.postMessage({ type: "close" });
    this.#ownWorker?.terminate(); // a shared worker ends with its last page
  }
}

/** @param {{state: string, share: number | null}} progress */
function showProgress({ state, share }) {
  const opening = find(document, ".opening");
  if (!opening) return;
  if (share === null) return opening.replaceChildren(phrase(state));
  const bar = find(opening, "progress", HTMLProgressElement) ?? create("progress", { ariaLabel: phrase("loading") });
  bar.value = share;
  opening.replaceChildren(`${phrase(state)} … `, create("br"), bar);
}

setSocketFactory(() => new WorkerSocket());
