// Texts and constants of the scripts. The page contains them; the texts are from argentum/words/client_messages.py.
import { byId } from "./dom.js";

/** @type {{phrases: Record<string, string>, constants: import("../../script_types.ts").Constants}} */
const data = JSON.parse(byId("script-data").textContent);

export const { constants } = data;

/** @param {string} name */
export const hasPhrase = (name) => name in data.phrases;

/**
 * Return the text with this name, with its placeholders filled in.
 * @param {string} name
 * @param {Record<string, unknown>} [values]
 */
export function phrase(name, values = {}) {
  return data.phrases[name].replace(/\{(\w+)\}/g, (_, field) => String(values[field]));
}
