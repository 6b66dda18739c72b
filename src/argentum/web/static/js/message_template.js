// Messages in attributes of elements.

/**
 * Parse a message from an attribute, with `value` in place of "$value".
 * @param {string} pattern
 * @param {string} value
 * @returns {{type: string}}
 */
export function fillTemplate(pattern, value) {
  return JSON.parse(pattern, (_, part) => (part === "$value" ? value : part));
}
