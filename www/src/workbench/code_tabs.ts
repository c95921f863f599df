import { h, on, uniqueId, type LiveText } from "../ui/dom";
import { CodeBlock } from "./code_block";

/** The same code for several kinds of pages, by the name of the kind. */
export type Codes = Record<string, string>;

/** Code with a choice of the kind of page that it is for. */
export class CodeTabs {
  readonly element: HTMLElement;
  readonly #block: CodeBlock;
  readonly #choice = h("fieldset.code-choice");
  readonly #name = uniqueId("code");
  #codes: Codes = {};

  constructor(title: LiveText, codes: Codes = {}) {
    this.#block = new CodeBlock(title);
    this.element = h("div.code-tabs", this.#choice, this.#block.element);
    this.show(codes);
  }

  /** Shows the codes, of the kind that was chosen before. */
  show(codes: Codes): void {
    const names = Object.keys(codes);
    const isSame = names.join() === Object.keys(this.#codes).join();
    this.#codes = codes;
    if (!isSame) this.#showChoice(names);
    this.#showChosen();
  }

  #showChoice(names: string[]): void {
    const options = names.map((value, at) => {
      const input = h("input", { type: "radio", name: this.#name, value, checked: at === 0 });
      return h("label", on(input, { change: () => this.#showChosen() }), h("span", value));
    });
    this.#choice.replaceChildren(h("legend.visually-hidden", "For"), ...options);
    this.#choice.hidden = names.length < 2;
  }

  #showChosen(): void {
    const chosen = this.#choice.querySelector<HTMLInputElement>(":checked")?.value ?? "";
    this.#block.text = this.#codes[chosen] ?? "";
  }
}
