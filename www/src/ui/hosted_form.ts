import { isRemitError, type CardForm, type CardFormEvent } from "remitkit";
import { t } from "../messages";
import { h, setText } from "./dom";
import { errorNotice, NoticeSlot } from "./notice";

type EventType = CardFormEvent["type"];
/** What the frame says of the customer's input, it says itself: "checking" has the words of "ready". */
type Status = "loading" | "ready" | "checking" | "verified" | "expired" | "failed";

const STATUS_AFTER: Record<EventType, Status> = {
  READY: "ready",
  LOAD_FAILED: "failed",
  CARD_VALIDATION_START: "checking",
  CARD_VALIDATION_STOP_SUCCESS: "verified",
  CARD_VALIDATION_STOP_FAIL: "ready",
  CARD_VALIDATION_STOP_EXPIRED: "expired",
};

interface HostedFormOptions {
  /** Gets each event, once the status line tells it. */
  onEvent: (event: CardFormEvent) => void;
  verified?: (cardId: string) => void;
  /** What the notice of an error offers. */
  waysOn: () => HTMLElement[];
}

/** Mounts the hosted card form, one at a time, with a status line and a slot for notices. */
export class HostedForm {
  readonly slot = new NoticeSlot();
  form: CardForm | undefined;
  status: Status = "loading";
  readonly #text = h("p", { role: "status", tabindex: -1 });
  readonly statusLine = h("div.card-status.muted", this.#text);
  readonly #frame = h("div.card-frame");
  readonly room = h("div.card-room", this.slot.element, this.#frame);
  #run = new AbortController();
  #watched: Promise<unknown> | undefined;

  constructor(private readonly options: HostedFormOptions) {}

  /** Replaces the form. Rejects if it can't be mounted or is replaced meanwhile. */
  async open(mount: (container: HTMLElement, signal: AbortSignal) => Promise<CardForm>): Promise<CardForm> {
    this.close();
    const { signal } = this.#run;
    this.#reset();
    try {
      const form = await mount(this.#frame, signal);
      if (signal.aborted) {
        form.destroy();
        throw new DOMException("Another form has replaced this one.", "AbortError");
      }
      this.form = form;
      // Listeners outlive a renewal, which an iteration does not.
      for (const type of Object.keys(STATUS_AFTER) as EventType[]) {
        form.on(type, (event) => {
          const isUsable = event.type === "LOAD_FAILED" && event.hasLoaded;
          this.#setStatus(isUsable ? "ready" : STATUS_AFTER[type]);
          this.options.onEvent(event);
          this.#watch(form, signal);
        });
      }
      this.#watch(form, signal);
      return form;
    } catch (error) {
      this.#fail(error, signal);
      throw error;
    }
  }

  /** Starts a new session in the same frame. */
  async renew(renew = (form: CardForm, signal: AbortSignal) => form.renew({ signal })): Promise<void> {
    const { form } = this;
    const { signal } = this.#run;
    if (!form) return;
    this.#reset();
    try {
      await renew(form, signal);
      this.#watch(form, signal);
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  focusStatus(): void {
    this.#text.focus({ preventScroll: true });
  }

  close(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.form?.destroy();
    this.form = undefined;
  }

  #reset(): void {
    this.#setStatus("loading");
    this.slot.clear();
  }

  #setStatus(status: Status): void {
    this.status = status;
    this.statusLine.setAttribute("data-status", status);
    setText(this.#text, () => t(`card.status.${status === "checking" ? "ready" : status}`));
  }

  /** Follows the form's promise. Called after each event: a restarted form has a new promise. */
  #watch({ completed }: CardForm, signal: AbortSignal): void {
    if (completed === this.#watched) return;
    this.#watched = completed;
    completed.then(
      ({ cardId }) => !signal.aborted && this.options.verified?.(cardId),
      (error: unknown) => this.#fail(error, signal),
    );
  }

  #fail(error: unknown, signal: AbortSignal): void {
    const code = isRemitError(error) ? error.code : undefined;
    const isTold =
      (this.form && code === "CardFormLoadFailed") ||
      (this.status === "expired" && code === "InvalidCardOnboardingSession");
    // The form's event has told it.
    if (signal.aborted || isTold) return;
    this.#setStatus("failed");
    this.slot.show(errorNotice(error, this.options.waysOn()));
  }
}
