import { wt } from "../messages/workbench";
import { button } from "../ui/button";
import { h, setText, type LiveText } from "../ui/dom";

const COPIED_MS = 2_000;

export interface CodeBlockOptions {
  isFolded?: boolean;
  choice?: HTMLElement;
}

/** Code under a title, with a button that copies it. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code = h("code");

  /** `choice` stands beside the title: what chooses the code. */
  constructor(title: LiveText, text = "", { isFolded = false, choice }: CodeBlockOptions = {}) {
    const heading = h("h3", title);
    const copy = copyButton(() => this.text);
    const code = h("pre", { tabindex: 0 }, this.#code);
    const tools = h("div.code-tools", copy);
    this.element = isFolded
      ? h("details.code-block", h("summary", heading), tools, code)
      : h("div.code-block", h("header.spread", heading, choice, copy), code);
    this.text = text;
  }

  get text(): string {
    return this.#code.textContent ?? "";
  }

  set text(text: string) {
    this.#code.textContent = text;
  }
}

export function copyButton(text: () => string, label: LiveText = () => wt("copy")): HTMLButtonElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const copy = async () => {
    clearTimeout(timer);
    timer = setTimeout(() => setText(made, label), COPIED_MS);
    const isCopied = await navigator.clipboard.writeText(text()).then(() => true, () => false);
    setText(made, () => wt(isCopied ? "copy.done" : "copy.failed"));
  };
  const made = button(label, () => void copy(), "quiet");
  made.setAttribute("aria-live", "polite");
  return made;
}
