// Check the layout of a page, or of its open sheet. Return descriptions of texts and controls that overlap, of texts that
// are cut off, of what leaves the page, and of controls that are too small to hit.
({ minTarget }) => {
  const sheet = [...document.querySelectorAll("dialog[open], [popover]:popover-open")].at(-1);
  const root = sheet ?? document.body;
  const scrolls = document.documentElement.scrollHeight > innerHeight + 1;
  const style = (element) => getComputedStyle(element);
  const isHidden = (element) => element.closest(".visually-hidden, [hidden], template, script, noscript, style")
    || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const describe = (element) => {
    const part = element.id ? `#${element.id}` : [element.localName, ...element.classList].join(".");
    const text = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ");
    return `${part} “${text.slice(0, 24)}”`;
  };

  // Return the part of a rectangle that `container` and its ancestors do not clip, or null, and what an ancestor cuts off.
  function clip(rect, container) {
    const { left, top, right, bottom } = rect;
    const visible = { left, top, right, bottom };
    let cut = "";
    for (let box = container; box && box !== document.body; box = box.parentElement) {
      const { clipPath, overflow, position } = style(box);
      if (clipPath !== "none") return { visible: null, cut: "" };
      if (overflow !== "visible") {
        const edges = box.getBoundingClientRect();
        const hidden = Math.max(visible.right - edges.right, edges.left - visible.left, 0);
        const hiddenLines = Math.max(visible.bottom - edges.bottom, edges.top - visible.top, 0);
        const isCut = hidden > 1.5 || hiddenLines > (bottom - top) / 4; // A line's rectangle is higher than its letters.
        if (isCut && !/auto|scroll/.test(overflow)) cut ||= describe(box);
        visible.left = Math.max(visible.left, edges.left);
        visible.top = Math.max(visible.top, edges.top);
        visible.right = Math.min(visible.right, edges.right);
        visible.bottom = Math.min(visible.bottom, edges.bottom);
      }
      if (position === "fixed") break;
    }
    const isVisible = visible.right - visible.left > 1 && visible.bottom - visible.top > 1;
    return { visible: isVisible ? visible : null, cut };
  }

  // Return the element that may cover others and that an element is in: fixed, or sticky while the page scrolls.
  function floating(element) {
    for (let box = element; box && box !== root; box = box.parentElement) {
      if (style(box).position === "fixed" || (scrolls && style(box).position === "sticky")) return box;
    }
    return null;
  }

  const faults = { overlaps: [], cut: [], outside: [], targets: [] };
  const parts = [];

  // Of the counts below the piles, only the text is compared, because the lantern may cover the space beside it.
  for (const element of root.querySelectorAll("button, a[href], select, input, summary, .lantern, .card")) {
    if (isHidden(element) || element.closest(".look-popup")) continue;
    for (const rect of element.matches("a:not(.button)") ? element.getClientRects() : [element.getBoundingClientRect()]) {
      const { visible } = clip(rect, element.parentElement);
      if (!visible) continue;
      if (!element.matches(".count")) parts.push({ element, rect: visible });
      if (!element.matches("button:not(.card), select, summary, .button")) continue; // others are larger than their box
      const around = Math.max(0, -parseFloat(getComputedStyle(element, "::after").inset) || 0); // can be hit, too
      const [width, height] = [rect.width + 2 * around, rect.height + 2 * around];
      if (Math.min(width, height) > minTarget - 0.5) continue;
      faults.targets.push(`${describe(element)}: ${Math.round(width)} × ${Math.round(height)}`);
    }
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || isHidden(element)) continue;
    if (element.closest("svg, .card, .recent-action, .look-popup")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    for (const line of range.getClientRects()) {
      const { visible, cut } = clip(line, element);
      // These lines and names may be shortened: the log has them in full.
      if (cut && !element.closest("#recent-lines, #since-turn, .score-name")) {
        faults.cut.push(`${describe(element)} by ${cut}`);
      }
      if (!visible) continue;
      const spare = (visible.bottom - visible.top) / 5;
      parts.push({ element, rect: { ...visible, top: visible.top + spare, bottom: visible.bottom - spare } });
    }
  }

  for (const [index, { element: first, rect: a }] of parts.entries()) {
    if (a.left < -1 || a.right > innerWidth + 1) faults.outside.push(describe(first));
    for (const { element: second, rect: b } of parts.slice(index + 1)) {
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 2) continue;
      if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 2) continue;
      if (first.contains(second) || second.contains(first)) continue;
      const spot = first.closest(".spot");
      if (spot && spot === second.closest(".spot")) continue; // marks and buttons on a card
      if (floating(first) !== floating(second)) continue;
      faults.overlaps.push(`${describe(first)} / ${describe(second)}`);
    }
  }
  return Object.entries(faults).flatMap(([check, all]) => [...new Set(all)].sort().map((fault) => `${check}: ${fault}`));
}
