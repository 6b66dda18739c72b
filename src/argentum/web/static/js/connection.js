// The connection to the server.
"use strict";

let socket = null;
let retryDelay = 400;
let closedForGood = false; // closed by the server, so do not reconnect

// The static edition defines its own (pyodide/static/worker_socket.js).
globalThis.openSocket ??= () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket/${stage.dataset.table}`);

function connect() {
  socket = openSocket();
  socket.onopen = () => {
    retryDelay = 400;
    previewOf = "";
    showToast("");
    const name = store.get("name") || undefined; // used if nobody has claimed the seat yet
    send({ type: "join", table: stage.dataset.table, key: location.hash.slice(1), format: "html", name, ...seat.joinFields() });
    sendPace();
  };
  socket.onmessage = ({ data }) => handleMessage(JSON.parse(data));
  socket.onclose = ({ code }) => {
    document.body.dataset.connection = "lost";
    if (closedForGood) return;
    if (code === 1008) return showToast(phrase("shut"));
    showToast(phrase("lost"));
    setTimeout(connect, retryDelay);
    retryDelay = Math.min(retryDelay * 1.6, 8000);
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function handleMessage(message) {
  if (message.type === "page") applyPage(message);
  else if (message.type === "record") download(message.name, message.text);
  else if (message.type === "reviewed") showToast("");
  else if (message.type === "table") location.assign(message.to);
  else if (message.type === "hint") showToast(message.words, 12000);
  else if (message.type === "picks") {
    preview = { ...message, selection: `${choiceNumber} ${message.spots.join(" ")}` };
    syncSelection();
  }
  else if (message.type === "talk") showChat(message);
  else if (message.type === "seat") seat.takeSeat(message);
  else if (message.type === "people") showPeople(message);
  else if (message.code === "elsewhere" || message.code === "moved") {
    closedForGood = true;
    seat.showSeatInUse(message.code);
  } else if (message.type === "error") {
    closedForGood = closedForGood || message.code === "no seat";
    if (closedForGood) showFatalError(message.message);
    else if (message.code !== "stale") showToast(sentence(message.message), 6000);
  }
}
