// Table page: shows the HTML that the server sends, and sends what is clicked. Importing a module below is enough if it
// only listens to events of the page.
/** @import { ErrorMessage, MessageHandlers } from "../../script_types.ts" */
import "./base.js";
import "./clicks.js";
import "./fairness.js";
import "./invitation.js";
import "./keyboard.js";
import "./notifications.js";
import "./own_tables.js";
import "./pass_device.js";
import "./replay.js";
import "./review.js";
import { showChat } from "./chat.js";
import { connect, stopReconnecting } from "./connection.js";
import { create } from "./dom.js";
import { forgetPreview, showPreview } from "./guide.js";
import { applyPage } from "./page.js";
import { showPeople } from "./people.js";
import { sendPace } from "./preferences.js";
import { sendJoin, showSeatInUse, takeSeat } from "./seat.js";
import { sentence, showFatalError, showToast } from "./toast.js";

const HINT_MS = 12_000;
const ERROR_MS = 6000;

/** @type {MessageHandlers} */
const HANDLERS = {
  page: applyPage,
  picks: showPreview,
  talk: showChat,
  people: showPeople,
  seat: takeSeat,
  hint: ({ words }) => showToast(words, HINT_MS),
  record: ({ name, text }) => download(name, text),
  reviewed: () => showToast(""),
  table: ({ to }) => location.assign(to),
  error: showError,
};

/** @param {ErrorMessage} error */
function showError({ code, message }) {
  if (code === "elsewhere" || code === "moved" || code === "no seat") stopReconnecting();
  if (code === "elsewhere" || code === "moved") showSeatInUse(code);
  else if (code === "no seat") showFatalError(message);
  else if (code !== "stale") showToast(sentence(message), ERROR_MS);
}

/** @type {(name: string, text: string) => void} */
function download(name, text) {
  const link = create("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

addEventListener("hashchange", () => location.reload());
connect(HANDLERS, () => {
  forgetPreview();
  showToast("");
  sendJoin();
  sendPace();
});
