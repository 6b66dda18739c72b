// The HTML of a part of a page comes as a list of fragments: strings, nested lists, and numbers of fragments that were
// sent before on this connection.
/** @import { Fragment } from "../../script_types.ts" */

export class FragmentDecoder {
  /** @type {string[]} */
  #received = [];

  /** Forget all fragments, as the server does. */
  clear() {
    this.#received.length = 0;
  }

  /**
   * Return the HTML of a list of fragments.
   * @param {Fragment[]} fragments
   */
  decode(fragments) {
    return fragments.map((fragment) => this.#decodeOne(fragment)).join("");
  }

  /**
   * @param {Fragment} fragment
   * @returns {string}
   */
  #decodeOne(fragment) {
    if (typeof fragment === "number") return this.#received[fragment];
    const html = typeof fragment === "string" ? fragment : this.decode(fragment);
    this.#received.push(html);
    return html;
  }
}
