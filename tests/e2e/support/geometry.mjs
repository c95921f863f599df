// Checks where elements are. Pictures differ between machines; overlaps, overflow and clipping do not.

/** Returns the layout faults of a page and its frames once nothing is in flight, one sentence each. */
export async function layoutFaults(page) {
  const faults = [];
  for (const frame of page.frames()) {
    // A frame of another origin that is out of sight draws nothing, and so never comes to rest.
    if (frame !== page.mainFrame()) {
      const element = await frame.frameElement();
      if (!(await element.isVisible())) continue;
      await element.scrollIntoViewIfNeeded();
    }
    await frame.evaluate(comeToRest);
    const found = await frame.evaluate(findFaults);
    faults.push(...found.map((fault) => (frame === page.mainFrame() ? fault : `in the frame: ${fault}`)));
  }
  return faults;
}

// Runs in the page, so it stands alone. Even without motion a change takes a frame.
async function comeToRest() {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const moving = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

// Runs in the page, so it stands alone.
function findFaults() {
  const SLACK = 1;
  const SMALLEST_TARGET = 24;
  // What leads on, and whatever else looks like a button.
  const LOWEST_BUTTON = 44;
  // More are a paragraph.
  const MOST_LINES = 2;
  const CONTROLS = "a[href], button, input, select, textarea, summary, iframe, [tabindex='0']";
  const root = document.documentElement;
  const faults = [];

  const describe = (element) => {
    const name = element.dataset?.field ?? element.getAttribute("name") ?? element.id;
    const text = element.textContent.trim().slice(0, 30);
    return `<${element.localName}${name ? ` ${name}` : ""}${element.className ? ` .${String(element.className).split(" ")[0]}` : ""}>${text ? ` “${text}”` : ""}`;
  };
  const isEmpty = ({ width, height }) => width <= 1 || height <= 1;
  // Text for screen readers is cut down to a pixel; the way past the head waits above the page.
  const isShown = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      if (box.bottom + scrollY <= 0) return false;
      if (isEmpty(box) && getComputedStyle(one).overflow === "hidden") return false;
    }
    return true;
  };
  // A line's box is higher than its letters.
  const letters = ({ left, right, top, bottom, height }) => ({ left, right, top: top + height * 0.2, bottom: bottom - height * 0.2 });
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
  // What is scrolled out of its room lies on nothing.
  const isScrolledAway = (element, box) => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(one).overflow)) continue;
      const room = one.getBoundingClientRect();
      if (box.bottom > room.bottom + SLACK || box.top < room.top - SLACK) return true;
    }
    return false;
  };
  const sticksOut = (inner, outer) =>
    inner.left < outer.left - SLACK || inner.right > outer.right + SLACK || inner.top < outer.top - SLACK || inner.bottom > outer.bottom + SLACK;

  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || ["SCRIPT", "STYLE", "OPTION", "NOSCRIPT"].includes(parent.tagName) || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => !isEmpty(box));
    const there = boxes.map(letters).filter((box) => !isScrolledAway(parent, box));
    texts.push(...there.map((box) => ({ node, parent, box })));
    // A figure that goes on in the next line is another figure.
    if (!/[ -]/.test(node.data.trim()) && new Set(boxes.map(({ top }) => Math.round(top))).size > 1) faults.push(`${describe(parent)} is broken in the middle`);
  }
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter(isShown)
    .map((element) => {
      // A radio button is as large as what can be pressed for it.
      const target = ["radio", "checkbox"].includes(element.type) ? (element.closest("label") ?? element) : element;
      return { element, target, box: target.getBoundingClientRect() };
    })
    .filter(({ target, box }) => !isScrolledAway(target, box));
  const ancestors = function* (element) {
    for (let one = element; one && one !== document.body; one = one.parentElement) yield one;
  };

  // Nothing is wider than the screen.
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} px wide on a screen of ${root.clientWidth}`);
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (!isEmpty(box) && (box.right > root.clientWidth + SLACK || box.left < -SLACK) && isShown(element)) faults.push(`${describe(element)} reaches beyond the screen`);
  }

  // No text is cut off, and none spills over the edge of what it stands on.
  for (const { parent, box } of texts) {
    for (const one of ancestors(parent)) {
      const style = getComputedStyle(one);
      const outer = one.getBoundingClientRect();
      if (/hidden|clip/.test(style.overflow) && sticksOut(box, outer)) {
        faults.push(`${describe(parent)} is cut off by ${describe(one)}`);
        break;
      }
      if (/auto|scroll/.test(style.overflow)) break;
      const hasEdge = parseFloat(style.borderTopWidth) > 0 && parseFloat(style.borderLeftWidth) > 0;
      if ((hasEdge || !/, 0\)$|transparent/.test(style.backgroundColor)) && style.display !== "inline") {
        if (sticksOut(box, outer)) faults.push(`${describe(parent)} spills out of ${describe(one)}`);
        break;
      }
    }
  }

  // What is entered, or the example in its place, fits. A choice is shown in full by its own list.
  const pen = document.createElement("canvas").getContext("2d");
  for (const { element } of controls) {
    if (!["text", "tel", "email"].includes(element.type)) continue;
    const style = getComputedStyle(element);
    // The short form is empty where the figures are all of one width.
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.letterSpacing = style.letterSpacing === "normal" ? "0px" : style.letterSpacing;
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const wide = pen.measureText(element.value || element.placeholder).width;
    if (wide > room + SLACK) faults.push(`${describe(element)} has ${Math.round(room)} px for a text of ${Math.round(wide)}`);
  }

  // Nothing lies on anything else.
  texts.forEach((a, index) => {
    for (const b of texts.slice(index + 1)) {
      if (a.node !== b.node && meet(a.box, b.box)) faults.push(`the texts of ${describe(a.parent)} and ${describe(b.parent)} overlap`);
    }
    for (const { element, target, box } of controls) {
      if (!target.contains(a.parent) && !a.parent.closest("label")?.contains(element) && !element.closest("[role=log]")?.contains(a.parent) && meet(a.box, box)) {
        faults.push(`${describe(element)} overlaps the text of ${describe(a.parent)}`);
      }
    }
  });
  controls.forEach((a, index) => {
    for (const b of controls.slice(index + 1)) {
      if (!a.target.contains(b.target) && !b.target.contains(a.target) && meet(a.box, b.box)) faults.push(`${describe(a.element)} overlaps ${describe(b.element)}`);
    }
  });

  // Whatever can be pressed is large enough to be hit.
  for (const { element, box } of controls) {
    if (box.width < SMALLEST_TARGET - 0.5 || box.height < SMALLEST_TARGET - 0.5) {
      faults.push(`${describe(element)} is ${Math.round(box.width)} × ${Math.round(box.height)} px, too small to be hit`);
    }
  }

  for (const { element, box } of controls) {
    if (!element.matches(".button, button[type=submit]")) continue;
    if (box.height < LOWEST_BUTTON - 0.5) faults.push(`${describe(element)} is ${Math.round(box.height)} px high, low for a button`);
    const lines = new Set(texts.filter(({ parent }) => element.contains(parent)).map((text) => Math.round(text.box.top))).size;
    if (lines > MOST_LINES) faults.push(`${describe(element)} has its words in ${lines} lines`);
  }

  // The keyboard goes the way the eye does: down a column, to the right in a row.
  controls.slice(1).forEach((b, index) => {
    const a = controls[index];
    const sameColumn = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > SLACK;
    const sameRow = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > Math.min(a.box.height, b.box.height) / 2;
    if ((sameColumn && b.box.bottom <= a.box.top + SLACK) || (sameRow && b.box.right <= a.box.left + SLACK)) {
      faults.push(`${describe(b.element)} follows ${describe(a.element)}, and stands before it`);
    }
  });
  return [...new Set(faults)];
}
