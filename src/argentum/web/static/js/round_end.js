// Animates the end of a round: faces, points of each card, sums, then the winner. A click or key skips to the end.
import { FLIP_ANIMATION } from "./animation.js";
import { findAll, onClick } from "./dom.js";
import { stage } from "./stage.js";

const [PER_CARD_MS, PER_LINE_MS, AFTER_LINES_MS, FADE_MS] = [90, 250, 560, 160];
let timer = 0;

export function playRoundEnd() {
  finishRoundEnd();
  const faces = findAll(stage, ".round-end [data-face]");
  faces.forEach((card, index) => {
    const timing = { ...FLIP_ANIMATION, delay: PER_CARD_MS * index, fill: /** @type {const} */ ("backwards") };
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], timing);
  });
  let sumsAt = 0; // milliseconds
  for (const ledger of findAll(stage, ".ledger")) {
    findAll(ledger, ".lines:not(.sum, .score) li").forEach((line, index) => {
      const delay = PER_CARD_MS * faces.length + PER_LINE_MS * index;
      fadeIn(line, delay);
      sumsAt = Math.max(sumsAt, delay + AFTER_LINES_MS);
    });
  }
  for (const line of findAll(stage, ":is(.sum, .score) li, .after")) fadeIn(line, sumsAt);
  stage.classList.add("animating");
  timer = setTimeout(finishRoundEnd, sumsAt + AFTER_LINES_MS);
}

/** @type {(element: HTMLElement, delay: number) => void} */
function fadeIn(element, delay) {
  element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS, delay, fill: "backwards" });
}

export function finishRoundEnd() {
  clearTimeout(timer);
  if (!stage.classList.contains("animating")) return;
  stage.classList.remove("animating");
  for (const motion of document.getAnimations()) motion.finish();
}

for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, finishRoundEnd);
onClick("[data-replay-round-end]", playRoundEnd);
