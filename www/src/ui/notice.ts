import { isRemitError } from "remitkit";
import { explain } from "../errors";
import { t } from "../messages";
import { button } from "./button";
import { h, type LiveText } from "./dom";
import { icon, type IconName } from "./icons";

export type Tone = "error" | "warning" | "info" | "success";

export interface Action {
  label: LiveText;
  run: () => void;
}

export interface NoticeOptions {
  tone: Tone;
  title: LiveText;
  text?: LiveText | undefined;
  advice?: LiveText | undefined;
  /** The service's trace id, which its support may ask for. */
  reference?: string | undefined;
  /** The quote of the transfer that is spoken of. */
  quote?: string | undefined;
  extra?: Node | undefined;
  actions?: Action[];
}

const ICONS: Record<Tone, IconName> = { error: "alert", warning: "alert", info: "info", success: "check" };

/** A message to the customer that stays until it is dealt with. */
export function notice(options: NoticeOptions): HTMLElement {
  const { tone, title, text, advice, reference, quote, extra, actions = [] } = options;
  return h(
    "div",
    { class: `notice ${tone}`, tabindex: -1, "data-quote": quote, role: tone === "error" || tone === "warning" ? "alert" : "status" },
    icon(ICONS[tone]),
    h(
      "div",
      { class: "notice-body stack tight" },
      h("p", { class: "notice-title" }, title),
      text && h("p", {}, text),
      advice && h("p", {}, advice),
      extra,
      reference && h("p", { class: "reference" }, () => t("error.reference"), " ", h("code", {}, reference)),
      actions.length > 0 &&
        h("div", { class: "notice-actions" }, ...actions.map((action) => button(action.label, action.run, "quiet"))),
    ),
  );
}

/**
 * Returns an error as a notice, with the caller's actions, and `first` before its text. The first action
 * runs by itself if the error's text says so.
 */
export function errorNotice(error: unknown, actions: Action[], first?: LiveText): HTMLElement {
  const { text, goesOn, ...explained } = explain(error);
  // What only a developer can mend is nothing for a customer to read.
  if (isRemitError(error) && error.message !== error.userMessage) console.info(error.message);
  const shown = notice({ tone: "error", ...explained, text: () => (first ? `${first()} ${text()}` : text()), actions });
  // Unless somebody has gone on before.
  if (goesOn) addEventListener("online", () => shown.isConnected && actions[0]?.run(), { once: true });
  return shown;
}

/** A place that holds one notice at most. */
export class NoticeSlot {
  readonly element = h("div", { class: "notice-slot" });
  readonly #lead: (notice: HTMLElement) => void;
  readonly #near: () => HTMLElement | null;

  /** `lead` scrolls the notice into view; `near` takes the focus of an element that is removed. */
  constructor(lead = (shown: HTMLElement) => shown.scrollIntoView({ block: "nearest" }), near = () => document.getElementById("step-title")) {
    this.#lead = lead;
    this.#near = near;
  }

  show(shown: HTMLElement): void {
    this.put(shown);
    this.#lead(shown);
  }

  /** As `show`, without leading anybody there. */
  put(shown: HTMLElement): void {
    const hadFocus = this.#hasFocus();
    this.element.replaceChildren(shown);
    if (hadFocus) shown.focus({ preventScroll: true });
  }

  clear(): void {
    const hadFocus = this.#hasFocus();
    this.element.replaceChildren();
    if (hadFocus) this.#near()?.focus({ preventScroll: true });
  }

  #hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }
}
