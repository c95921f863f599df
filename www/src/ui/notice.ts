import { isRemitError } from "remitkit";
import { explain } from "../errors";
import { t, type TextKey } from "../messages";
import { button } from "./button";
import { figure, h, type LiveText } from "./dom";
import { icon, type IconName } from "./icons";

export type Tone = "error" | "warning" | "info" | "success";

interface NoticeOptions {
  tone: Tone;
  title: LiveText;
  /** A paragraph is taken as it is. */
  text?: LiveText | HTMLElement | undefined;
  advice?: LiveText | undefined;
  /** The service's trace id, which its support may ask for. */
  reference?: string | undefined;
  /** The quote id of the transfer that the notice is about. */
  quote?: string | undefined;
  extra?: Node | undefined;
  actions?: HTMLElement[];
  /** Whether it takes the focus, by which it is read. It is announced otherwise. */
  isFocused?: boolean;
}

const ICONS: Record<Tone, IconName> = { error: "alert", warning: "alert", info: "info", success: "check" };

export function action(label: TextKey, run: () => void): HTMLElement {
  return button(() => t(label), run, "quiet");
}

export function retry(run: () => void): HTMLElement {
  return action("action.again", run);
}

/** Creates a message to the customer that stays until it is dealt with. */
export function notice(options: NoticeOptions): HTMLElement {
  const { tone, title, text, advice, reference, quote, extra, actions = [], isFocused } = options;
  const announced = tone === "error" || tone === "warning" ? "alert" : "status";
  const role = isFocused ? "group" : announced;
  return h("div", { class: `notice ${tone}`, tabindex: -1, "data-quote": quote, role }, [
    icon(ICONS[tone]),
    h("div.notice-body.stack.tight", [
      h("p.notice-title", title),
      typeof text === "function" ? h("p", text) : text,
      advice && h("p", advice),
      extra,
      reference && h("p.muted.small", () => t("error.reference"), " ", figure(h("code", reference))),
      actions.length > 0 && h("div.notice-actions", ...actions),
    ]),
  ]);
}

/** Creates a notice of the shop's own texts. */
export function plainNotice(tone: Tone, title: TextKey, text?: TextKey, actions: HTMLElement[] = []) {
  return notice({ tone, title: () => t(title), text: text && (() => t(text)), actions });
}

/**
 * Creates the notice of an error, with `prefix` before its text. The first action runs by itself on
 * reconnecting if the error's text promises that.
 */
export function errorNotice(error: unknown, actions: HTMLElement[], prefix?: LiveText): HTMLElement {
  const { text, resumesOnline, ...explanation } = explain(error);
  // What only a developer can fix goes to the console.
  if (isRemitError(error) && error.message !== error.userMessage) console.info(error.message);
  const fullText = () => (prefix ? `${prefix()} ${text()}` : text());
  const shown = notice({ tone: "error", ...explanation, text: fullText, actions });
  if (resumesOnline) addEventListener("online", () => shown.isConnected && actions[0]?.click(), { once: true });
  return shown;
}

export class NoticeSlot {
  readonly element = h("div.notice-slot");

  /** `reveal` brings a notice into view; the element `fallbackId` takes the focus of a removed one. */
  constructor(
    private readonly reveal = (shown: HTMLElement) => shown.scrollIntoView({ block: "nearest" }),
    private readonly fallbackId = "step-title",
  ) {}

  get isEmpty(): boolean {
    return !this.element.hasChildNodes();
  }

  show(shown: HTMLElement): void {
    this.put(shown);
    this.reveal(shown);
  }

  /** Shows a notice without bringing it into view. */
  put(shown: HTMLElement): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(shown);
    if (hadFocus) shown.focus({ preventScroll: true });
  }

  clear(): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    if (hadFocus) document.getElementById(this.fallbackId)?.focus({ preventScroll: true });
  }
}
