import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import { radios } from "./radios";

/** Texts by name, such as the same code for several kinds of pages. */
export type Codes = Record<string, string>;

const COPIED_MS = 2_000;

/**
 * Creates code under a title, with a button that copies it. Of several texts, one is shown; `show` gives
 * other texts of the same names.
 */
export function codeBlock(title: string, texts: Codes, isFolded = false) {
  const code = h("code");
  const labels = Object.fromEntries(Object.keys(texts).map((name) => [name, name]));
  const choice = radios(h("legend.visually-hidden", title), labels, () => show(texts));
  const show = (given: Codes) => {
    texts = given;
    code.textContent = texts[choice.value()] ?? "";
  };
  show(texts);
  const heading = h("h3", title);
  const copy = copyButton("Copy", () => code.textContent);
  const block = h("pre", { tabindex: 0 }, code);
  const several = Object.keys(texts).length > 1 && choice.element;
  const element = isFolded
    ? h("details.code-block", h("summary", heading), h("div.code-tools", copy), block)
    : h("div.code-block", h("header.spread", heading, several, copy), block);
  return { element, show };
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
