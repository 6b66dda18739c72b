// The clock of a turn.
import { findAll } from "./dom.js";
import { pageState } from "./page_state.js";
import { phrase } from "./phrases.js";
import { stage } from "./stage.js";

export function updateClocks() {
  for (const clock of findAll(stage, "[data-clock]")) {
    const left = Math.max(0, Math.ceil((pageState.deadline - performance.now()) / 1000));
    clock.hidden = !pageState.deadline;
    clock.textContent = phrase("time-left", { left });
  }
}
setInterval(updateClocks, 500);
