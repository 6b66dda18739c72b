// What the controls of a page do.
"use strict";

// Parse a message from an attribute, with `value` in place of "$value".
function fillTemplate(pattern, value) {
  return JSON.parse(pattern, (_, part) => (part === "$value" ? value : part));
}

document.addEventListener("click", (event) => {
  if (longPressed) return void (longPressed = false); // the click that ends a long press on a card with help
  const clicked = (name) => event.target.closest(`[data-${name}]`);
  const sender = clicked("send");
  const copy = clicked("copy-text");
  const open = clicked("open");
  if (open) return openSheet(document.getElementById(open.dataset.open));
  if (clicked("close")) return clicked("close").closest("dialog")?.close();
  if (copy) return copyLink(copy);
  if (clicked("replay-round-end")) return playRoundEnd();
  if (clicked("cycle-actions")) return cycleHighlights();
  if (sender && !sender.disabled) return send(fillTemplate(sender.dataset.send, ""));
  if (clicked("call")) return confirmCall(true);
  if (clicked("cancel-call")) return confirmCall(false);
  if (clicked("clear-selection")) return selection.clear(), syncSelection();
  if (clicked("show-me")) return highlightAdvice(clicked("show-me").dataset.showMe);
  if (clicked("leave-guide")) return setPreference("guide", false);
  const rules = event.target.closest("#stage a[href], #help a[href]");
  if (rules?.getAttribute("href").split("#")[0] === stage.dataset.rules && !event.ctrlKey && !event.metaKey && document.getElementById("rules-sheet")) return event.preventDefault(), openRules(rules.hash);
  if (clicked("template")) return sendSelection(clicked("template"));
  if (clicked("move")) return sendMove(clicked("move").dataset.move);
  if (clicked("select")) return toggleCard(clicked("select").dataset.select);
  const explained = clicked("help");
  if (explained && explained.matches("button")) toggleHelp(explained);
});
