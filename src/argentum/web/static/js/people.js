// The list of people at the table, and their consent to hints.
/** @import { PeopleMessage, Person, SeatAction } from "../../script_types.ts" */
import { isMuted, toggleMuted } from "./chat.js";
import { send } from "./connection.js";
import { byId, create, find, findAll, get } from "./dom.js";
import { phrase } from "./phrases.js";
import { showToast } from "./toast.js";

const list = byId("people");
const hintConsent = byId("hint-consent", HTMLInputElement);

/**
 * Messages of the buttons beside a seat.
 * @type {Record<SeatAction, (person: Person) => {type: string}>}
 */
const SEAT_ACTIONS = {
  nudge: ({ seat }) => ({ type: "nudge", seat }),
  free: ({ seat }) => ({ type: "arrange", seat, bot: "" }),
  host: ({ seat }) => ({ type: "transfer_host", seat }),
};

/** @param {PeopleMessage} message */
export function showPeople({ seats, host, take_over: mayTakeOver, hints }) {
  get(document, ".chat-off").hidden = !host;
  const focused = list.contains(document.activeElement) && document.activeElement?.getAttribute("aria-label");
  list.replaceChildren(...seats.map((person) => personItem(person, mayTakeOver)));
  if (focused) findAll(list, "button").find((button) => button.getAttribute("aria-label") === focused)?.focus();
  get(document, ".hint-consent").hidden = !hints.asked;
  hintConsent.checked = hints.yours;
  byId("hint-consent-count").textContent = phrase("agreed", hints);
}

/**
 * @param {Person} person
 * @param {boolean} mayTakeOver
 */
function personItem(person, mayTakeOver) {
  const marks = [person.yours && phrase("you"), person.host && phrase("host"), !person.yours && person.state].filter(Boolean);
  const name = create("strong", {}, create("bdi", { textContent: person.name }));
  const text = create("p", {}, name, " ", create("span", { className: "quiet", textContent: marks.join(", ") }));
  const item = create("li", {}, text, ...person.may.map((action) => actionButton(action, person)));
  if (person.yours && mayTakeOver) item.append(actionButton("host", person));
  if (person.talks) item.append(muteButton(person));
  return item;
}

/**
 * @param {SeatAction} action
 * @param {Person} person
 */
function actionButton(action, person) {
  const text = phrase(person.yours ? "take-over" : `may-${action}`);
  const label = `${text}: ${person.name}`;
  const onclick = () => send(SEAT_ACTIONS[action](person));
  return create("button", { type: "button", className: "plain", textContent: text, ariaLabel: label, onclick });
}

/** @param {Person} person */
function muteButton({ seat, name }) {
  const button = create("button", { type: "button", className: "plain" });
  const update = () => {
    button.textContent = phrase(isMuted(seat) ? "unmute" : "mute");
    button.ariaLabel = `${button.textContent}: ${name}`;
  };
  button.onclick = () => {
    toggleMuted(seat);
    update();
  };
  update();
  return button;
}

hintConsent.addEventListener("change", () => send({ type: "allow_hints", on: hintConsent.checked }));

// A hint is shown in a toast over the table, so close the sheet.
byId("ask-hint").addEventListener("click", () => {
  find(document, "#chat-sheet:popover-open")?.hidePopover();
  showToast(phrase("thinking"));
  send({ type: "hint" });
});
