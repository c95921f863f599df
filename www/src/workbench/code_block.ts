import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import { Radios } from "./radios";

/** Texts by name, such as the same code for several kinds of pages. */
export type Codes = Record<string, string>;

const COPIED_MS = 2_000;

/** Code under a title, with a button that copies it. Of several texts, one is shown. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code = h("code");
  readonly #choice: Radios;
  #texts: Codes;

  constructor(title: string, texts: Codes, isFolded = false) {
    const names = Object.keys(texts);
    const labels = Object.fromEntries(names.map((name) => [name, name]));
    this.#choice = new Radios(h("legend.visually-hidden", title), labels, () => this.#showChosen());
    this.#texts = texts;
    const heading = h("h3", title);
    const choice = names.length > 1 && this.#choice.element;
    const copy = copyButton("Copy", () => this.#code.textContent);
    const code = h("pre", { tabindex: 0 }, this.#code);
    this.element = isFolded
      ? h("details.code-block", h("summary", heading), h("div.code-tools", copy), code)
      : h("div.code-block", h("header.spread", heading, choice, copy), code);
    this.#showChosen();
  }

  /** Shows other texts of the same names. */
  show(texts: Codes): void {
    this.#texts = texts;
    this.#showChosen();
  }

  #showChosen(): void {
    this.#code.textContent = this.#texts[this.#choice.value] ?? "";
  }
}

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = async () => {
    clearTimeout(timer);
    timer = setTimeout(() => setText(made, label), COPIED_MS);
    const isCopied = await navigator.clipboard.writeText(text()).then(() => true, () => false);
    setText(made, isCopied ? "Copied" : "Could not copy");
  };
  const made = button(() => label, () => void copy(), "quiet");
  made.setAttribute("aria-live", "polite");
  return made;
}
