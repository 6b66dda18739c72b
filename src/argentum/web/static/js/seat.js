// The reader's seat: its keys in the page's URL, and the device that it is open on.
"use strict";

const seat = {
  takingOver: false, // from another device

  // Return fields of the first message. All tabs of a browser send the same device name.
  joinFields() {
    let device = store.get("device");
    if (!device) {
      device = randomHex();
      store.set("device", device);
    }
    const [key, ...localKeys] = seatKeys();
    const query = new URLSearchParams(location.search);
    const game = query.get("game"); // a link to a finished game
    const reloaded = query.has("reload"); // the server then accepts the page in any version
    if (reloaded) {
      query.delete("reload");
      history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    }
    return { device, key, local_keys: localKeys, build: stage.dataset.build, ...(reloaded && { reloaded }), ...(this.takingOver && { take_over: true }), ...(game && { game: +game }) };
  },

  // Put the key of a seat that this browser has got into the page's URL. `beside` marks a further seat on this device.
  takeSeat({ key, beside: isLocal }) {
    const keys = isLocal ? [...seatKeys(), key] : [key];
    history.replaceState(null, "", `${pageAddress()}#${keys.join(".")}`);
    if (!isLocal) location.reload();
    else storeTable();
  },

  // Show that the seat is open on another device (`elsewhere`), or has just moved there (`moved`).
  showSeatInUse(code) {
    const moved = code === "moved";
    const page = document.createElement("section");
    page.className = "single-page seat-in-use";
    const title = document.createElement("h1");
    title.textContent = phrase(moved ? "moved" : "open-elsewhere");
    const text = document.createElement("p");
    text.className = "lead";
    text.textContent = phrase(moved ? "one-device" : "if-you");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button lamp main", textContent: phrase(moved ? "back-here" : "move-here") });
    button.dataset.moveHere = "";
    const home = Object.assign(document.createElement("a"), { href: stage.dataset.home, className: "button", textContent: phrase("start-page") });
    const actions = document.createElement("div");
    actions.className = "page-actions";
    actions.append(button, home);
    page.append(title, text, actions);
    stage.replaceChildren(page);
    stage.dataset.page = "seat_in_use";
    button.focus();
  },

  moveHere() {
    this.takingOver = true;
    closedForGood = false;
    socket.onclose = null;
    socket.close();
    connect();
  },
};

// Keys in the fragment of the page's URL: one for a seat, several on a shared device.
const seatKeys = () => location.hash.slice(1).split(".");
