/** A localStorage in memory, with the items as its properties, as in browsers. Import it before a module that uses one. */
class FakeStorage {
  getItem(name) {
    return Object.hasOwn(this, name) ? this[name] : null;
  }

  setItem(name, value) {
    this[name] = String(value);
  }

  removeItem(name) {
    delete this[name];
  }
}

globalThis.localStorage = new FakeStorage();

/** Replace the content of the storage. */
export function fillStorage(items) {
  for (const name of Object.keys(localStorage)) delete localStorage[name];
  Object.assign(localStorage, items);
}
