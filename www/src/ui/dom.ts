/** A text that is computed again whenever the language changes. */
export type LiveText = () => string;

type Child = Node | string | LiveText | null | undefined | false;
type Children = (Child | Child[])[];
type Tag = keyof HTMLElementTagNameMap;
type Attributes = Record<string, string | number | boolean | undefined | LiveText>;
type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** The texts of elements. A translator of pages replaces the nodes that hold them, so nodes can't be kept. */
const texts = new WeakMap<Element, LiveText>();
/** What the shop has written to an element, which a translator may have replaced since. */
const written = new WeakMap<Element, string>();
const updates = new WeakMap<Element, (() => void)[]>();
let lastId = 0;

/**
 * Creates an element from a selector such as `p.muted.small`. Functions among the attributes and children are
 * live texts.
 */
export function h<Name extends Tag>(
  selector: Name | `${Name}.${string}`,
  ...content: [Attributes, ...Children] | Children
): HTMLElementTagNameMap[Name] {
  const [name, ...classes] = selector.split(".");
  const element = document.createElement(name as Name);
  if (classes.length > 0) element.className = classes.join(" ");
  const [first, ...others] = content;
  if (isAttributes(first)) setAttributes(element, first);
  append(element, ((isAttributes(first) ? others : content) as Children).flat());
  return element;
}

export function svg(name: string, attributes: Attributes = {}, ...children: Node[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

export function on<Target extends HTMLElement>(element: Target, listeners: Listeners): Target {
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener as EventListener);
  }
  return element;
}

export function setText(element: Element, text: string | LiveText): void {
  const isFirst = !texts.has(element);
  texts.set(element, typeof text === "string" ? () => text : text);
  const write = () => showAll(element, [textOf(element)()]);
  if (isFirst) live(element, write);
  else write();
}

export function textOf(element: Element): LiveText {
  return texts.get(element) ?? (() => "");
}

/** Replaces what an element shows, unless it is the same: that would be announced, and translated, again. */
export function showAll(element: Element, content: (Element | string)[]): void {
  const text = content.map((one) => (typeof one === "string" ? one : one.outerHTML)).join("\n");
  if (written.get(element) === text) return;
  written.set(element, text);
  element.replaceChildren(...content);
}

/** Marks what no translator may change, such as an amount or an id. */
export function figure<Figure extends HTMLElement>(element: Figure): Figure {
  element.setAttribute("translate", "no");
  return element;
}

/** Runs `update` now and after each change of language, as long as `element` is on the page. */
export function live(element: Element, update: () => void): void {
  updates.set(element, [...(updates.get(element) ?? []), update]);
  update();
}

export function refreshTexts(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let node: Node | null = root; node; node = walker.nextNode()) {
    updates.get(node as Element)?.forEach((update) => update());
  }
}

/** Makes a change, and scrolls so that `target` stays where it is on the screen. */
export function inPlace(target: Element, change: () => void): void {
  const top = () => target.getBoundingClientRect().top;
  const before = top();
  change();
  scrollBy(0, top() - before);
}

export function uniqueId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

/** Long enough for the browser to have opened a file. */
const REVOKE_MS = 60_000;

export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

/** How long content has to be on the screen before it counts as seen. */
const SEEN_MS = 500;

/** Resolves once the current content was painted in a foreground tab and has been there for a moment. */
export async function untilSeen(): Promise<void> {
  for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve, SEEN_MS));
}

function isAttributes(value: Attributes | Children[number]): value is Attributes {
  return typeof value === "object" && value !== null && !(value instanceof Node) && !Array.isArray(value);
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") live(element, () => element.setAttribute(name, value()));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
}

function append(element: Element, children: Child[]): void {
  const [only, ...others] = children.filter(Boolean);
  if (typeof only === "function" && others.length === 0) return setText(element, only);
  for (const child of children) {
    // Beside others, a live text has an element of its own.
    if (child) element.append(typeof child === "function" ? h("span", child) : child);
  }
}
