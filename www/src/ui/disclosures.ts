import { disclosureTexts, type Disclosures as Sent } from "remitkit";
import { h, showAll, uniqueId, type LiveText } from "./dom";

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

  show(sent: Sent | null | undefined): void {
    const texts = disclosureParagraphs(sent);
    showAll(this.#list, texts);
    this.element.hidden = texts.length === 0;
  }
}

/** Returns a paragraph for each text, which begins with its title if it has one. */
export function disclosureParagraphs(sent: Sent | null | undefined): HTMLElement[] {
  return disclosureTexts(sent).map(({ title, text }) => h("p", title ? `${title}: ${text}` : text));
}
