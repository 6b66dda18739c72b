import { byId } from "./dom.js";

/** The element that shows the current page. Its data has the kind of the page, and facts that do not change. */
export const stage = byId("stage");
