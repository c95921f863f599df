/** A text that is worked out again whenever the shop's language changes. */
export type LiveText = () => string;

type Child = Node | string | LiveText | null | undefined | false;
type Attribute = string | number | boolean | undefined | LiveText;
type Attributes = Record<string, Attribute>;
type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

const SVG = "http://www.w3.org/2000/svg";
const updates = new WeakMap<Node, (() => void)[]>();

/** Makes an element. A function among the attributes or children is a text that follows the language. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Makes an SVG element. */
export function svg(name: string, attributes: Attributes = {}, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/** Adds listeners and gives the element back. */
export function on<Target extends HTMLElement>(element: Target, listeners: Listeners): Target {
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener as EventListener);
  }
  return element;
}

/** Makes the text of an element follow the language. */
export function setText(element: Element, text: string | LiveText): void {
  updates.delete(element);
  element.replaceChildren();
  append(element, [text]);
}

/** Works out every live text below `root` once more. */
export function relabel(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    updates.get(node)?.forEach((update) => update());
  }
}

/** Runs `update` now and whenever the language changes, as long as `node` is on the page. */
export function follow(node: Node, update: () => void): void {
  updates.set(node, [...(updates.get(node) ?? []), update]);
  update();
}

let lastId = 0;

/** An id no other element of the page has. */
export function uniqueId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      follow(element, () => element.setAttribute(name, value()));
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (typeof child === "function") {
      const text = document.createTextNode("");
      follow(text, () => {
        text.data = child();
      });
      element.append(text);
    } else if (child) {
      element.append(child);
    }
  }
}

/** For how long something has to stand there to have been seen. */
const SEEN_MS = 500;

/** Resolves once the current content was painted in a foreground tab and has been there for a moment. */
export async function untilSeen(): Promise<void> {
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, SEEN_MS));
}
