import type { LiveText } from "../ui/dom";
import { CodeBlock } from "./code_block";
import { Radios } from "./radios";

/** Texts by name, such as the same code for several kinds of pages. */
export type Codes = Record<string, string>;

/** Several texts, of which one is shown. */
export class CodeTabs {
  readonly element: HTMLElement;
  readonly #block: CodeBlock;
  readonly #choice: Radios;
  #codes: Codes = {};

  constructor(title: LiveText, codes: Codes = {}) {
    this.#choice = new Radios(title, () => this.#showChosen(), false);
    this.#block = new CodeBlock(title, "", { choice: this.#choice.element });
    this.element = this.#block.element;
    this.show(codes);
  }

  /** Shows the text of the name that was chosen before. */
  show(codes: Codes): void {
    const names = Object.keys(codes);
    if (names.join() !== Object.keys(this.#codes).join()) this.#choice.offer(names);
    this.#choice.element.hidden = names.length < 2;
    this.#codes = codes;
    this.#showChosen();
  }

  #showChosen(): void {
    this.#block.text = this.#codes[this.#choice.value ?? ""] ?? "";
  }
}
