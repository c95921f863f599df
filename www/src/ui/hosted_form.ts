import type { CardForm, CardFormEvent } from "remitkit";
import { STATUS_AFTER, CardStatus } from "./card_status";
import { h } from "./dom";
import { NoticeSlot } from "./notice";

type EventType = CardFormEvent["type"];
export type Mount = (container: HTMLElement, signal: AbortSignal) => Promise<CardForm>;

export interface HostedFormEvents {
  event: (event: CardFormEvent) => void;
  verified?: (cardId: string) => void;
  failed: (error: unknown) => void;
}

/** Mounts the hosted card form, one at a time, with a status line and a slot for notices. */
export class HostedForm {
  readonly status: CardStatus;
  readonly slot = new NoticeSlot();
  readonly room: HTMLElement;
  form: CardForm | undefined;
  readonly #frame = h("div.card-frame");
  #run = new AbortController();
  #watched: Promise<unknown> | undefined;

  constructor(
    private readonly events: HostedFormEvents,
    renewButton?: HTMLButtonElement,
  ) {
    this.status = new CardStatus(renewButton);
    this.room = h("div.card-room", this.slot.element, this.#frame);
  }

  /** Replaces the form. Rejects if it can't be mounted or is replaced meanwhile. */
  async open(mount: Mount): Promise<CardForm> {
    this.close();
    const { signal } = this.#run;
    this.reset();
    try {
      const form = await mount(this.#frame, signal);
      if (signal.aborted) form.destroy();
      signal.throwIfAborted();
      this.form = form;
      // Listeners outlive a renewal, which an iteration does not.
      for (const type of Object.keys(STATUS_AFTER) as EventType[]) {
        form.on(type, (event) => {
          this.events.event(event);
          this.#watch(form, signal);
        });
      }
      this.#watch(form, signal);
      return form;
    } catch (error) {
      if (!signal.aborted) this.events.failed(error);
      throw error;
    }
  }

  /** Starts a new session in the same frame. */
  async renew(renew = (form: CardForm, signal: AbortSignal) => form.renew({ signal })): Promise<void> {
    const { form } = this;
    const { signal } = this.#run;
    if (!form) return;
    this.reset();
    try {
      await renew(form, signal);
      this.#watch(form, signal);
    } catch (error) {
      if (!signal.aborted) this.events.failed(error);
    }
  }

  reset(): void {
    this.status.set("loading");
    this.slot.clear();
  }

  close(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.form?.destroy();
    this.form = undefined;
  }

  /** Follows the form's promise. Called after each event: a restarted form has a new promise. */
  #watch({ completed }: CardForm, signal: AbortSignal): void {
    if (completed === this.#watched) return;
    this.#watched = completed;
    completed.then(
      ({ cardId }) => !signal.aborted && this.events.verified?.(cardId),
      (error: unknown) => !signal.aborted && !this.status.covers(error) && this.events.failed(error),
    );
  }
}
