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
    setText(this.#text, () => t(`card.status.${status}`));
  }

  focus(): void {
    this.#text.focus({ preventScroll: true });
  }

  /** Whether the status line already says what an error says: the session has expired. */
  covers(error: unknown): boolean {
    return isRemitError(error) && error.code === "InvalidCardOnboardingSession" && this.#status === "expired";
  }
}
