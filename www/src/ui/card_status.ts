import { isRemitError, type CardFormEvent } from "remitkit";
import { t } from "../messages";
import { h, setText } from "./dom";

type Status = "loading" | "ready" | "checking" | "verified" | "refused" | "expired" | "failed";

export const STATUS_AFTER: Record<CardFormEvent["type"], Status> = {
  READY: "ready",
  LOAD_FAILED: "failed",
  CARD_VALIDATION_START: "checking",
  CARD_VALIDATION_STOP_SUCCESS: "verified",
  CARD_VALIDATION_STOP_FAIL: "refused",
  CARD_VALIDATION_STOP_EXPIRED: "expired",
};

/** The line above a card form: how far it is, and where `renew` is given, the way to another one. */
export class CardStatus {
  readonly element: HTMLElement;
  readonly #text = h("p", { role: "status", tabindex: -1 });
  #status: Status = "loading";

  constructor(renew?: HTMLButtonElement) {
    this.element = h("div", { class: "card-status" }, this.#text, renew);
  }

  get status(): Status {
    return this.#status;
  }

  say(status: Status): void {
    this.#status = status;
    this.element.setAttribute("data-status", status);
    setText(this.#text, () => t(`card.status.${status}`));
  }

  /** Leads a keyboard here whose place is gone. */
  focus(): void {
    this.#text.focus({ preventScroll: true });
  }

  /** Whether an error only repeats the line: the session is over, and the way to the next one is there. */
  isSaid(error: unknown): boolean {
    return isRemitError(error) && error.code === "InvalidCardOnboardingSession" && this.#status === "expired";
  }
}
