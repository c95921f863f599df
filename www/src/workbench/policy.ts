import type { RemitKit } from "remitkit";
import { h } from "../ui/dom";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { copyButton } from "./copy";
import { wt } from "./texts";

/** The content security policy that this page's configuration needs, as the header says it. */
export class Policy {
  readonly element: HTMLElement;
  readonly #slot = new NoticeSlot();
  readonly #code = h("code");

  constructor() {
    this.element = h(
      "section",
      { class: "bench-part", id: "policy", "aria-labelledby": "policy-title" },
      h("h2", { id: "policy-title" }, () => wt("policy.title")),
      h("p", { class: "muted" }, () => wt("policy.about")),
      this.#slot.element,
      h(
        "div",
        { class: "code-block" },
        h("header", {}, h("h3", {}, h("code", {}, "contentSecurityPolicy()")), copyButton(() => this.#code.textContent ?? "")),
        h("pre", { tabindex: 0, class: "wrapped" }, this.#code),
      ),
    );
  }

  async show(kit: Promise<RemitKit>): Promise<void> {
    try {
      this.#code.textContent = headerOf((await kit).contentSecurityPolicy());
    } catch (error) {
      this.#slot.show(errorNotice(error, []));
    }
  }
}

function headerOf(policy: Record<string, string[]>): string {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(" "));
  return `Content-Security-Policy: ${directives.join("; ")}`;
}
