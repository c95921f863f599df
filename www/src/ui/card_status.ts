import { isRemitError, type CardFormEvent } from "remitkit";
import { t } from "../messages";
import { h, setText } from "./dom";

/** What the frame says of the customer's input, it says itself: "checking" has the words of "ready". */
type Status = "loading" | "ready" | "checking" | "verified" | "expired" | "failed";

export const STATUS_AFTER: Record<CardFormEvent["type"], Status> = {
  READY: "ready",
  LOAD_FAILED: "failed",
  CARD_VALIDATION_START: "checking",
  CARD_VALIDATION_STOP_SUCCESS: "verified",
  CARD_VALIDATION_STOP_FAIL: "ready",
  CARD_VALIDATION_STOP_EXPIRED: "expired",
};

/** The status line above a card form, with an optional button that renews it. */
export class CardStatus {
  readonly element: HTMLElement;
  readonly #text = h("p", { role: "status", tabindex: -1 });
  #status: Status = "loading";

  constructor(renew?: HTMLButtonElement) {
    this.element = h("div.card-status", this.#text, renew);
  }

  get status(): Status {
    return this.#status;
  }

  set(status: Status): void {
    this.#status = status;
    this.element.setAttribute("data-status", status);
    const text = () => t(`card.status.${status === "checking" ? "ready" : status}`);
    // The same words again would be announced again.
    if (this.#text.textContent !== text()) setText(this.#text, text);
  }

  focus(): void {
    this.#text.focus({ preventScroll: true });
  }

  /** Whether the status line already says what an error says: the session has expired. */
  covers(error: unknown): boolean {
    return isRemitError(error) && error.code === "InvalidCardOnboardingSession" && this.#status === "expired";
  }
}
