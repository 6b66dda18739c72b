// The cards that are selected for a move: the only state of the game in a page.

/**
 * The cards that one button of the prompt accepts.
 * @typedef {{spots: string[], minCards: number, maxCards: number}} Acceptance
 */

export class CardSelection {
  /** @type {Set<string>} in the order of their selection */
  #spots = new Set();

  get size() {
    return this.#spots.size;
  }

  /** @param {string} spot */
  has(spot) {
    return this.#spots.has(spot);
  }

  clear() {
    this.#spots.clear();
  }

  /**
   * Drop the cards that can no longer be selected.
   * @param {Set<string>} offered
   */
  restrictTo(offered) {
    for (const spot of this.#spots) if (!offered.has(spot)) this.#spots.delete(spot);
  }

  /**
   * Select a card, in place of the first selected ones if there are as many as one button accepts; or deselect it.
   * @param {string} spot
   * @param {Acceptance[]} buttons
   */
  toggle(spot, buttons) {
    if (this.#spots.delete(spot)) return;
    const limit = Math.max(...buttons.filter(({ spots }) => spots.includes(spot)).map(({ maxCards }) => maxCards));
    for (const first of this.#spots) {
      if (this.size < limit) break;
      this.#spots.delete(first);
    }
    this.#spots.add(spot);
  }

  /**
   * Return the selected ones of some cards.
   * @param {string[]} spots
   */
  among(spots) {
    return spots.filter((spot) => this.#spots.has(spot));
  }

  /**
   * Whether a button can be pressed: it accepts each selected card, and their number.
   * @param {Acceptance} button
   */
  isAccepted({ spots, minCards, maxCards }) {
    const { size } = this;
    return this.among(spots).length === size && size >= minCards && size <= maxCards;
  }
}
