// Finding and creating elements.

/**
 * Return the element with an id; throw if there is none of this kind.
 * @template {Element} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof (kind ?? HTMLElement))) throw new TypeError(`missing: #${id}`);
  return /** @type {any} */ (element);
}

/**
 * Return the first element that matches a selector, or null.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [_kind] the kind of the elements that the selector matches
 * @returns {Kind | null}
 */
export function find(root, selector, _kind) {
  return /** @type {any} */ (root.querySelector(selector));
}

/**
 * Return the first element that matches a selector; throw if there is none.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function get(root, selector, kind) {
  const element = find(root, selector, kind);
  if (!element) throw new TypeError(`missing: ${selector}`);
  return element;
}

/**
 * Return all elements that match a selector.
 * @template {Element} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [_kind] the kind of the elements that the selector matches
 * @returns {Kind[]}
 */
export function findAll(root, selector, _kind) {
  return /** @type {any[]} */ ([...root.querySelectorAll(selector)]);
}

/**
 * Return the nearest element around the target of an event that matches a selector, or null.
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Create an element with properties and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function create(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * Call a function with the clicked element, or the one around it, that matches a selector.
 * @param {string} selector
 * @param {(element: HTMLElement) => unknown} handle
 */
export function onClick(selector, handle) {
  document.addEventListener("click", ({ target }) => {
    const element = closest(target, selector);
    if (element) handle(element);
  });
}

/**
 * Call a function with the control whose value has changed, if it matches a selector.
 * @param {string} selector
 * @param {(control: HTMLInputElement | HTMLSelectElement) => unknown} handle
 */
export function onChange(selector, handle) {
  document.addEventListener("change", ({ target }) => {
    const isControl = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isControl && target.matches(selector)) handle(target);
  });
}
