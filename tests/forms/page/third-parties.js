// What others do to a page that has the forms: translators, password managers, input methods, the device's clock.

/** Returns all nodes of the page that a person may see, also in open shadow roots. */
function* nodesIn(root) {
  for (const node of root.childNodes) {
    yield node;
    if (node.shadowRoot) yield* nodesIn(node.shadowRoot);
    yield* nodesIn(node);
  }
}

const isLeft = (node) => {
  for (let at = node.parentNode; at; at = at.parentNode) {
    if (at.nodeType === 1 && (at.getAttribute("translate") === "no" || at.matches("style, script, textarea"))) return true;
  }
  return false;
};

/**
 * Translates what is shown as browsers do: each text stands in `<font><font>` afterwards. `isRude`: also what is not
 * to be translated. Returns how many texts there were.
 */
export function translate(root = document.body, isRude = false) {
  let count = 0;
  for (const node of [...nodesIn(root)]) {
    const isDone = node.parentNode?.localName === "font";
    if (node.nodeType !== 3 || node.data.trim() === "" || isDone || (!isRude && isLeft(node))) continue;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    outer.append(inner);
    node.replaceWith(outer);
    inner.append(node);
    count += 1;
  }
  return count;
}

/** Inserts an element beside each control, as password managers do. */
export function decorate(root = document.body) {
  for (const node of [...nodesIn(root)]) {
    if (node.localName !== "input" || node.nextSibling?.localName === "x-manager") continue;
    node.after(document.createElement("x-manager"));
  }
}

/** Fills a control in, with these events. */
export function autofill(control, value, events) {
  const owner = control.localName === "select" ? HTMLSelectElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(owner.prototype, "value").set.call(control, value);
  for (const type of events) {
    const init = { bubbles: type !== "blur", composed: true };
    control.dispatchEvent(type === "keyup" ? new KeyboardEvent(type, init) : new Event(type, init));
  }
}

const now = Date.now.bind(Date);
let sleptMs = 0;

Date.now = () => now() + sleptMs;

/** Lets the device sleep: `performance.now()` stands meanwhile. */
export function sleep(ms) {
  sleptMs += ms;
}

/** Presses a button as a pointer does, and moves the focus to it; `before` runs while it is down. */
export async function press(button, before = () => {}) {
  const init = { bubbles: true, composed: true, cancelable: true, pointerId: 1, isPrimary: true };
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  // Firefox scrolls to what has got the focus only in a later frame.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  button.scrollIntoView();
  const { top } = button.getBoundingClientRect();
  button.dispatchEvent(new PointerEvent("pointerdown", init));
  button.focus({ preventScroll: true });
  await wait(20);
  await before();
  // It is let go where it was pressed.
  const isThere = Math.abs(button.getBoundingClientRect().top - top) < 1;
  button.dispatchEvent(new PointerEvent("pointerup", init));
  if (isThere) button.click();
  return isThere;
}
