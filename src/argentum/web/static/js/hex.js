// Bytes as hexadecimal digits.

/** @param {Iterable<number>} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
export const bytesOfHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Return 16 random bytes. */
export const randomHex = () => hex(crypto.getRandomValues(new Uint8Array(16)));
