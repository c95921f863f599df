// Checks the layout by geometry: unlike screenshots, overlap, overflow and clipping do not vary by machine.

/** Returns the layout faults of a page and its frames, one sentence each, once all transitions are over. */
export async function layoutFaults(page) {
  const faults = [];
  for (const frame of page.frames()) {
    const isMain = frame === page.mainFrame();
    // A frame of another origin out of sight renders nothing, and so never settles.
    if (!isMain) {
      const element = await frame.frameElement();
      if (!(await element.isVisible())) continue;
      await element.scrollIntoViewIfNeeded();
    }
    await frame.evaluate(settle);
    const found = await frame.evaluate(findFaults);
    faults.push(...found.map((fault) => (isMain ? fault : `in the frame: ${fault}`)));
  }
  return faults;
}

/** Runs in the page. Even without motion a change takes a frame. */
async function settle() {
  // What sticks to the screen's edge covers what is meant to scroll below it.
  for (const element of document.querySelectorAll(".actions")) element.style.setProperty("position", "static");
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const isFinite = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
  const finite = document.getAnimations().filter(isFinite);
  await Promise.allSettled(finite.map(({ finished }) => finished));
}

/** Runs in the page. */
function findFaults() {
  const SLACK = 1;
  const MIN_TARGET = 24;
  const MIN_BUTTON_HEIGHT = 44;
  const MAX_BUTTON_LINES = 2;
  const CONTROLS = "a[href], button, input, select, textarea, summary, iframe, [tabindex='0']";
  const faults = [];

  const describe = (element) => {
    const name = element.dataset?.field ?? element.getAttribute("name") ?? element.id;
    const [className] = String(element.className).split(" ");
    const text = element.textContent.trim().slice(0, 30);
    const tag = [element.localName, name, className && `.${className}`].filter(Boolean).join(" ");
    return `<${tag}>${text ? ` “${text}”` : ""}`;
  };
  const isEmpty = ({ width, height }) => width <= 1 || height <= 1;
  function* ancestors(element) {
    for (let one = element; one && one !== document.body; one = one.parentElement) yield one;
  }
  // Visually hidden text is clipped to a pixel; the skip link waits above the page.
  const isShown = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    return [...ancestors(element)].every((one) => {
      const box = one.getBoundingClientRect();
      return box.bottom + scrollY > 0 && !(isEmpty(box) && getComputedStyle(one).overflow === "hidden");
    });
  };
  const isScrolledAway = (element, box) =>
    [...ancestors(element.parentElement)].some((one) => {
      if (!/auto|scroll/.test(getComputedStyle(one).overflow)) return false;
      const room = one.getBoundingClientRect();
      return box.bottom > room.bottom + SLACK || box.top < room.top - SLACK;
    });
  const overlap = (a, b) => ({
    x: Math.min(a.right, b.right) - Math.max(a.left, b.left),
    y: Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  });
  const meet = (a, b) => Math.min(overlap(a, b).x, overlap(a, b).y) > SLACK;
  const isOutside = (inner, outer) =>
    inner.left < outer.left - SLACK ||
    inner.right > outer.right + SLACK ||
    inner.top < outer.top - SLACK ||
    inner.bottom > outer.bottom + SLACK;
  // The box of a line is higher than its letters.
  const lettersOf = ({ left, right, top, bottom, height }) => {
    return { left, right, top: top + height * 0.2, bottom: bottom - height * 0.2 };
  };

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    const isCode = ["SCRIPT", "STYLE", "OPTION", "NOSCRIPT"].includes(parent.tagName);
    if (!node.data.trim() || isCode || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => !isEmpty(box));
    const visible = boxes.map(lettersOf).filter((box) => !isScrolledAway(parent, box));
    texts.push(...visible.map((box) => ({ node, parent, box })));
    const lines = new Set(boxes.map(({ top }) => Math.round(top))).size;
    const isWord = !/[ -]/.test(node.data.trim());
    if (isWord && lines > 1) faults.push(`${describe(parent)} is broken in the middle`);
  }
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter(isShown)
    .map((element) => {
      const isInLabel = ["radio", "checkbox"].includes(element.type);
      const target = (isInLabel && element.closest("label")) || element;
      return { element, target, box: target.getBoundingClientRect() };
    })
    .filter(({ target, box }) => !isScrolledAway(target, box));

  // Nothing is wider than the screen.
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    faults.push(`the page is ${scrollWidth} px wide on a screen of ${clientWidth}`);
  }
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    const isInside = box.right <= clientWidth + SLACK && box.left >= -SLACK;
    if (isInside || isEmpty(box) || !isShown(element)) continue;
    faults.push(`${describe(element)} reaches beyond the screen`);
  }

  // No text is cut off or spills over an edge or a background.
  for (const { parent, box } of texts) {
    for (const one of ancestors(parent)) {
      const style = getComputedStyle(one);
      const isSpilling = isOutside(box, one.getBoundingClientRect());
      if (/hidden|clip/.test(style.overflow) && isSpilling) {
        faults.push(`${describe(parent)} is cut off by ${describe(one)}`);
        break;
      }
      if (/auto|scroll/.test(style.overflow)) break;
      const hasBorder = parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderLeftWidth) > 0;
      const hasBackground = !/, 0\)$|transparent/.test(style.backgroundColor);
      if ((hasBorder || hasBackground) && style.display !== "inline") {
        if (isSpilling) faults.push(`${describe(parent)} spills out of ${describe(one)}`);
        break;
      }
    }
  }

  // The text or placeholder of an input fits.
  const pen = document.createElement("canvas").getContext("2d");
  for (const { element } of controls) {
    if (!["text", "tel", "email"].includes(element.type)) continue;
    const style = getComputedStyle(element);
    // The shorthand `font` is empty with tabular figures.
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const { width } = pen.measureText(element.value || element.placeholder);
    if (width > room + SLACK) {
      faults.push(`${describe(element)} has ${Math.round(room)} px for a text of ${Math.round(width)}`);
    }
  }

  // Nothing overlaps anything else.
  texts.forEach((a, index) => {
    for (const b of texts.slice(index + 1)) {
      if (a.node === b.node || !meet(a.box, b.box)) continue;
      faults.push(`the texts of ${describe(a.parent)} and ${describe(b.parent)} overlap`);
    }
    for (const { element, target, box } of controls) {
      const isOwn = target.contains(a.parent) || a.parent.closest("label")?.contains(element);
      if (isOwn || element.closest("[role=log]")?.contains(a.parent) || !meet(a.box, box)) continue;
      faults.push(`${describe(element)} overlaps the text of ${describe(a.parent)}`);
    }
  });
  controls.forEach((a, index) => {
    for (const b of controls.slice(index + 1)) {
      if (a.target.contains(b.target) || b.target.contains(a.target) || !meet(a.box, b.box)) continue;
      faults.push(`${describe(a.element)} overlaps ${describe(b.element)}`);
    }
  });

  // Every target is large enough.
  for (const { element, box } of controls) {
    const [width, height] = [Math.round(box.width), Math.round(box.height)];
    if (Math.min(box.width, box.height) < MIN_TARGET - 0.5) {
      faults.push(`${describe(element)} is ${width} × ${height} px, too small to be hit`);
    }
    if (!element.matches(".button, button[type=submit]")) continue;
    if (box.height < MIN_BUTTON_HEIGHT - 0.5) {
      faults.push(`${describe(element)} is ${height} px high, low for a button`);
    }
    const own = texts.filter(({ parent }) => element.contains(parent));
    const lines = new Set(own.map((text) => Math.round(text.box.top))).size;
    if (lines > MAX_BUTTON_LINES) faults.push(`${describe(element)} has its words in ${lines} lines`);
  }

  // The order of the keyboard is that of the eye: down a column, to the right in a row.
  controls.slice(1).forEach((b, index) => {
    const a = controls[index];
    const { x, y } = overlap(a.box, b.box);
    const isAbove = x > SLACK && b.box.bottom <= a.box.top + SLACK;
    const isLeft = y > Math.min(a.box.height, b.box.height) / 2 && b.box.right <= a.box.left + SLACK;
    if (!isAbove && !isLeft) return;
    faults.push(`${describe(b.element)} follows ${describe(a.element)}, and stands before it`);
  });
  return [...new Set(faults)];
}
