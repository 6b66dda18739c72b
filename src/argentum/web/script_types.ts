// Types for the scripts in static/js: what the server sends to pages, and what modules tell each other.

/** Constants that the page contains (web/pages/renderer.py: SCRIPT_CONSTANTS). */
export interface Constants {
  defaultPace: string;
  deckNumbers: number[]; // of the cards of a whole deck, in ascending order
  maxTables: number;
  moons: string[];
  roundsPerGame: number;
  seatLetters: string;
  villageSize: number;
}

/** HTML as strings, nested lists, and numbers of fragments sent before on this connection. */
export type Fragment = string | number | Fragment[];
/** Slots between which a card moved. */
export type Motion = [from: string, to: string];

/** Cards that the reader looks at: slot, HTML of the face, and title. `fade` is in seconds; null with open notes. */
export interface Looks {
  cards: [slot: string, face: string, title: string][];
  fade: number | null;
}

/** The changed parts of a page. The server leaves out empty fields. */
export interface PageMessage {
  type: "page";
  page: string;
  parts: [id: string, fragments: Fragment[]][];
  title?: string;
  choice?: number;
  clock?: number; // seconds left
  reset?: boolean; // forget all fragments
  motions?: Motion[];
  looks?: Looks;
  lobby_seconds?: number; // how long a new table has waited for players
}

/** The preview of an exchange of the cards in `spots`. */
export interface PicksMessage {
  type: "picks";
  spots: string[];
  fits: "match" | "differ" | "unsure";
  title: string;
  words: string;
  numbers: string;
  change: string;
}

export interface ChatLine {
  seat: string;
  name: string;
  kind: "say" | "emote" | "nudge";
  text: string;
}

export interface TalkMessage {
  type: "talk";
  lines: ChatLine[];
  you: string;
  off: boolean;
  old: boolean; // whether the lines are from before the page connected
}

export type SeatAction = "nudge" | "free" | "host";

export interface Person {
  seat: string;
  name: string;
  state: string;
  yours: boolean;
  host: boolean;
  talks: boolean;
  may: SeatAction[];
}

export interface PeopleMessage {
  type: "people";
  seats: Person[];
  host: boolean;
  take_over: boolean; // whether the reader may become the host
  hints: { asked: boolean; yours: boolean; agreed: number; people: number };
}

/** The key of a seat that this browser has got; with `beside`, of a further seat on this device. */
export interface SeatMessage {
  type: "seat";
  seat: string;
  key: string;
  beside?: boolean;
}

export interface ErrorMessage {
  type: "error";
  code: string;
  message: string;
}

export type ServerMessage =
  | PageMessage
  | PicksMessage
  | TalkMessage
  | PeopleMessage
  | SeatMessage
  | ErrorMessage
  | { type: "record"; name: string; text: string }
  | { type: "reviewed" }
  | { type: "table"; to: string }
  | { type: "hint"; words: string };

/** A function for each type of message. */
export type MessageHandlers = {
  [Type in ServerMessage["type"]]: (message: Extract<ServerMessage, { type: Type }>) => void;
};

/** What a connection needs of a WebSocket; the static edition has another class. */
export interface PageSocket {
  readonly readyState: number;
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null; // its `data` is a text
  onclose: ((event: any) => void) | null; // it has a `code`
  send(text: string): void;
  close(): void;
}

/** Details of the events in events.js. */
export interface PageEvents {
  "page-shown": { page: string; previousPage: string };
  "turn-began": null; // the reader has a choice after having none
  "selection-shown": null;
  nudged: { name: string };
}

/** What the server reveals of a finished round, for its verification (docs/fairness.md). */
export interface OpenedRound {
  round: number;
  commitment: string;
  digests: string[];
  part: string;
  values: Record<string, string>;
  start: number;
  villages: number[][];
  discard: number;
  deck: number[];
}

/** What the page shows of a round besides: numbers as text, and seats as letters. */
export interface ShownRound {
  round: string;
  players: string;
  people: string;
  you: string;
}

/** A table in this browser's list; `at` is when it was last open, in milliseconds. */
export interface OwnTable {
  name: string;
  key: string;
  at?: number;
}

/** The result of a game in this browser's list: the points of each round, the calls, and those won. */
export interface OwnGame {
  id: string;
  box: string;
  won: boolean;
  points: number[];
  calls: number;
  calls_won: number;
  people: number;
  at: number;
}

/** The state of a table in this browser's list (web/pages/my_tables.py). */
export interface TableState {
  name: string;
  stage: "gathering" | "playing" | "over";
  state: string;
  words: string;
  turn: boolean;
  round: number;
}

/** What the worker of the static edition tells a page (pyodide/static/python_worker.js). */
export type WorkerMessage =
  | { type: "progress"; state: string; share: number | null } // null: unknown
  | { type: "answer"; to: string; page: string }
  | { type: "opened" }
  | { type: "received"; text: string }
  | { type: "closed"; code: number; reason: string }
  | { type: "failed"; reason: string };

/** What a page tells that worker. */
export type PageMessageToWorker =
  | { type: "submit"; path: string; form: Record<string, string> }
  | { type: "open" }
  | { type: "send"; text: string }
  | { type: "close" };
