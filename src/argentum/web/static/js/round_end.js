// The end of a round.
"use strict";

// Animate the end of a round: faces, points of each card, sums, then the winner. A click or key skips to the end.
let roundEndTimer = 0;
function playRoundEnd() {
  finishRoundEnd();
  const faces = [...stage.querySelectorAll(".round-end [data-face]")];
  const fade = (element, delay) => element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay, fill: "backwards" });
  faces.forEach((card, index) => {
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { ...FLIP_ANIMATION, delay: 90 * index, fill: "backwards" });
  });
  let sumsAt = 0; // milliseconds
  const fadeLines = (selector) => {
    for (const ledger of stage.querySelectorAll(".ledger")) {
      [...ledger.querySelectorAll(selector)].forEach((line, index) => {
        fade(line, 90 * faces.length + 250 * index);
        sumsAt = Math.max(sumsAt, 90 * faces.length + 250 * index + 560);
      });
    }
  };
  fadeLines(".lines:not(.sum, .score) li");
  for (const line of stage.querySelectorAll(":is(.sum, .score) li, .after")) fade(line, sumsAt);
  stage.classList.add("animating");
  roundEndTimer = setTimeout(finishRoundEnd, sumsAt + 560);
}
function finishRoundEnd() {
  clearTimeout(roundEndTimer);
  if (!stage.classList.contains("animating")) return;
  stage.classList.remove("animating");
  for (const motion of document.getAnimations()) motion.finish();
}
for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, finishRoundEnd);
