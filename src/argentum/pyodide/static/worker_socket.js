// WebSocket interface of table.js to the worker that runs Python, for the static edition.
"use strict";

class WorkerSocket {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    const script = new URL("../static/pyodide/python_worker.js", location.href);
    this.port = globalThis.SharedWorker
      ? new SharedWorker(script, { type: "module", name: "argentum" }).port
      : new Worker(script, { type: "module" });
    this.port.onmessage = ({ data }) => this[data.type](data);
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
    this.begin();
  }

  // Create a new table by posting the form in the page's URL, or open the table that the URL names.
  begin() {
    const form = new URLSearchParams(location.search);
    const action = form.get("new");
    if (!action) return this.openTable();
    form.delete("new");
    this.port.postMessage({ type: "submit", path: `/${action}`, form: Object.fromEntries(form) });
  }

  openTable() {
    const [name] = new URLSearchParams(location.search).keys(); // the number of a replayed move may follow
    document.getElementById("stage").dataset.table = name;
    if (location.hash) store.addToList("tables", { name, key: location.hash.slice(1), at: Date.now() }, (table) => table.name === name, constants.maxTables);
    this.port.postMessage({ type: "open" });
  }

  answer({ to, page }) {
    if (!to) return this.failed({ reason: new DOMParser().parseFromString(page, "text/html").querySelector(".lead")?.textContent });
    history.replaceState(null, "", to); // so that a reload restores the seat
    this.openTable();
  }

  opened() {
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  received({ text }) {
    this.onmessage?.({ data: text });
  }

  closed({ code, reason }) {
    this.close(); // the next socket has its own port
    this.onclose?.({ code, reason });
  }

  failed({ reason }) {
    const opening = document.querySelector(".opening");
    if (opening) opening.textContent = phrase("not-opened", { words: reason || phrase("some-fault") });
    else this.received({ text: JSON.stringify({ type: "error", code: "broken", message: reason }) });
  }

  progress({ state, share }) {
    const opening = document.querySelector(".opening");
    if (!opening) return;
    if (share === null) return opening.replaceChildren(phrase(state));
    const bar = opening.querySelector("progress") ?? document.createElement("progress");
    bar.value = share;
    bar.setAttribute("aria-label", phrase("loading"));
    opening.replaceChildren(`${phrase(state)} … `, document.createElement("br"), bar);
  }

  send(text) {
    this.port.postMessage({ type: "send", text });
  }

  close() {
    this.readyState = WebSocket.CLOSED;
    this.port.postMessage({ type: "close" });
    this.port.terminate?.(); // ends a dedicated worker; a shared one ends with its last page
  }
}

globalThis.openSocket = () => new WorkerSocket();
