import { textsIn } from "../sent_transfers";
import { h, uniqueId, type LiveText } from "./dom";

/**
 * A section for what a shop must tell its customers: before they pay, or with the receipt. It has the service's
 * texts, and is hidden while there are none.
 */
export class Disclosures {
  readonly element: HTMLElement;
  readonly #list = h("div.stack.tight");

  constructor(name: string, title: LiveText) {
    const id = uniqueId("disclosures");
    const attributes = { "aria-labelledby": id, "data-disclosures": name, hidden: true };
    this.element = h("section.notices-section.stack.tight", attributes, h("h2", { id }, title), this.#list);
  }

  show(sent: unknown): void {
    const texts = disclosureTexts(sent);
    this.#list.replaceChildren(...texts.map((text) => h("p", text)));
    this.element.hidden = texts.length === 0;
  }
}

/** Returns texts, and the texts of objects that have some: the interface does not define the shape. */
export function disclosureTexts(sent: unknown): string[] {
  const items: unknown[] = Array.isArray(sent) ? sent : [sent];
  return items.map((item) => (typeof item === "string" ? item : wordsOf(item))).filter(Boolean);
}

function wordsOf(item: unknown): string {
  const { title, label, text, description } = textsIn(item);
  return [title ?? label, text ?? description].filter(Boolean).join(": ");
}
