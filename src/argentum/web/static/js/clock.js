// Turn clocks.
"use strict";

let deadline = 0;

function updateClocks() {
  for (const clock of stage.querySelectorAll("[data-clock]")) {
    const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    clock.hidden = !deadline;
    clock.textContent = phrase("time-left", { left });
  }
}
setInterval(updateClocks, 500);
