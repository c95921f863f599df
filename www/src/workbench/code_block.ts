import { h, type LiveText } from "../ui/dom";
import { copyButton } from "./copy";

/** Code under a title, to be read and copied. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code = h("code");

  constructor(title: LiveText | Node, text = "", { isFolded = false } = {}) {
    const heading = h("h3", {}, title);
    const copy = copyButton(() => this.text);
    const code = h("pre", { tabindex: 0 }, this.#code);
    this.element = isFolded
      ? h("details", { class: "code-block" }, h("summary", {}, heading), h("div", { class: "code-tools" }, copy), code)
      : h("div", { class: "code-block" }, h("header", { class: "spread" }, heading, copy), code);
    this.text = text;
  }

  get text(): string {
    return this.#code.textContent ?? "";
  }

  set text(text: string) {
    this.#code.textContent = text;
  }
}
