// The connection to the server. It is opened again when it is lost, until the server closes it for good.
/** @import { MessageHandlers, PageSocket } from "../../script_types.ts" */
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";
import { showToast } from "./toast.js";

const POLICY_VIOLATION = 1008; // close code
const [FIRST_RETRY_MS, LONGEST_RETRY_MS, RETRY_FACTOR] = [400, 8000, 1.6];

/** @type {() => PageSocket} */
let openSocket = () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket/${stage.dataset.table}`);
/** @type {PageSocket | undefined} */
let socket;
/** @type {MessageHandlers} */
let handlers;
let onOpen = () => {};
let retryMs = FIRST_RETRY_MS;
let isClosedForGood = false;
let number = 0;

/**
 * Use another kind of socket, as the static edition does.
 * @param {() => PageSocket} factory
 */
export function setSocketFactory(factory) {
  openSocket = factory;
}

/**
 * Open the connection. Messages go to the handler of their type.
 * @param {MessageHandlers} messageHandlers
 * @param {() => void} handleOpen called whenever the connection is open, to send the first message
 */
export function connect(messageHandlers, handleOpen) {
  handlers = messageHandlers;
  onOpen = handleOpen;
  open();
}

function open() {
  socket = openSocket();
  number += 1;
  socket.onopen = () => {
    retryMs = FIRST_RETRY_MS;
    onOpen();
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type in handlers) handlers[/** @type {keyof MessageHandlers} */ (message.type)](message);
  };
  socket.onclose = ({ code }) => {
    document.body.dataset.connection = "lost";
    if (isClosedForGood) return;
    if (code === POLICY_VIOLATION) return showToast(phrase("shut"));
    showToast(phrase("lost"));
    setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * RETRY_FACTOR, LONGEST_RETRY_MS);
  };
}

/** Return how often the connection has been opened. */
export const connectionNumber = () => number;

/** @param {{type: string, [field: string]: unknown}} message */
export function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Do not open the connection again when the server closes it. */
export function stopReconnecting() {
  isClosedForGood = true;
}

/** Close the connection, if it is open, and open another. */
export function reconnect() {
  isClosedForGood = false;
  if (socket) socket.onclose = null;
  socket?.close();
  open();
}
