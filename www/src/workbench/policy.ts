import type { RemitKit } from "remitkit";
import { h } from "../ui/dom";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { CodeBlock } from "./code_block";
import { wt } from "./texts";

/** The content security policy that this page's configuration needs, as the header says it. */
export class Policy {
  readonly element: HTMLElement;
  readonly #slot = new NoticeSlot();
  readonly #code = new CodeBlock(h("code", {}, "contentSecurityPolicy()"));

  constructor() {
    this.element = h(
      "section",
      { class: "bench-part", id: "policy", "aria-labelledby": "policy-title" },
      h("h2", { id: "policy-title" }, () => wt("policy.title")),
      h("p", { class: "muted" }, () => wt("policy.about")),
      this.#slot.element,
      this.#code.element,
    );
  }

  async show(kit: Promise<RemitKit>): Promise<void> {
    try {
      this.#code.text = headerOf((await kit).contentSecurityPolicy());
    } catch (error) {
      this.#slot.show(errorNotice(error, []));
    }
  }
}

function headerOf(policy: Record<string, string[]>): string {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(" "));
  return `Content-Security-Policy: ${directives.join("; ")}`;
}
