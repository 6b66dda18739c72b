// Events of a table page, for modules that react to what others do.

/** @typedef {import("../../script_types.ts").PageEvents} PageEvents */

const target = new EventTarget();

/**
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {PageEvents[Name]} detail
 */
export function emit(name, detail) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/**
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {(detail: PageEvents[Name]) => unknown} listener
 */
export function on(name, listener) {
  target.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail));
}
