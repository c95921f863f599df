import { isLoopback } from "../input/loopback.js";

const said = new WeakMap();

/**
 * Says what the page's developer has to mend: once in the console, and on a loopback host in the element itself.
 * `undefined` takes that away.
 */
export function complain(element, message) {
  const own = said.get(element) ?? { messages: new Set(), note: undefined };
  said.set(element, own);
  own.note?.remove();
  if (message === undefined) return;
  const told = `<${element.localName}>: ${message}`;
  if (!own.messages.has(message)) console.error(told);
  own.messages.add(message);
  if (!isLoopback(location.hostname)) return;
  own.note = document.createElement("p");
  const attributes = { part: "complaint", lang: "en", dir: "ltr", translate: "no" };
  for (const [name, value] of Object.entries(attributes)) own.note.setAttribute(name, value);
  own.note.textContent = told;
  (element.shadowRoot ?? element).prepend(own.note);
}
