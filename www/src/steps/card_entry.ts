import { isRemitError, type CardForm, type CardFormEvent } from "remitkit";
import { isRetryable } from "../errors";
import { onLanguage, t, type MessageKey } from "../messages";
import { kit } from "../remit";
import { cardTheme, onScheme } from "../theme";
import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import { EventLog } from "../ui/event_log";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { testCards } from "../ui/test_cards";

type Status = "loading" | "ready" | "checking" | "verified" | "refused" | "expired" | "failed";

const STATUS_AFTER: Record<string, Status> = {
  READY: "ready",
  LOAD_FAILED: "failed",
  CARD_VALIDATION_START: "checking",
  CARD_VALIDATION_STOP_SUCCESS: "verified",
  CARD_VALIDATION_STOP_FAIL: "refused",
  CARD_VALIDATION_STOP_EXPIRED: "expired",
};

/** The hosted card form in the shop's page. The shop sees its events and the card's id, never the card. */
export class CardEntry {
  readonly element: HTMLElement;
  readonly #verified: (cardId: string | undefined) => void;
  readonly #frame = h("div", { class: "card-frame" });
  readonly #text = h("p", { role: "status" });
  readonly #renew = button(() => t("card.renew"), () => void this.#startAnew(), "quiet");
  readonly #row = h("div", { class: "card-status" }, this.#text, this.#renew);
  readonly #slot = new NoticeSlot();
  readonly #log = new EventLog();
  readonly #stops: (() => void)[];
  #run = new AbortController();
  #form: CardForm | undefined;
  #watched: Promise<unknown> | undefined;
  #status: Status = "loading";
  #restyle = false;

  /** `verified` gets the card's id, and nothing whenever a form is begun anew. */
  constructor(verified: (cardId: string | undefined) => void) {
    this.#verified = verified;
    this.element = h("div", { class: "stack" }, this.#row, this.#slot.element, h("div", { class: "card-room" }, this.#frame), testCards(), this.#log.element);
    const restyle = () => {
      this.#restyle = true;
      this.#applyTheme();
    };
    this.#stops = [onLanguage(restyle), onScheme(restyle)];
  }

  /** Shows a form with a session of its own; an earlier one is gone. */
  async start(): Promise<void> {
    this.#end();
    const { signal } = this.#run;
    this.#begin();
    try {
      const remit = await kit();
      const options = { container: this.#frame, theme: cardTheme(), title: t("card.frame") };
      const form = await remit.cardForm(options, { signal });
      if (signal.aborted) {
        form.destroy();
        return;
      }
      this.#form = form;
      this.#watch(form);
      for await (const event of form) {
        if (signal.aborted) return;
        this.#heard(event);
        this.#watch(form);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Shows an error of what came after the card was verified; `again` does only that once more. */
  refuse(error: unknown, again: () => void): void {
    const another = { label: () => t("card.another"), run: () => void this.start() };
    const actions = isRetryable(error) ? [{ label: () => t("action.again"), run: again }, another] : [another];
    this.#slot.show(errorNotice(error, actions));
  }

  /** Removes the form and everything that listens. */
  destroy(): void {
    this.#end();
    for (const stop of this.#stops) stop();
  }

  /** A new session in the same frame. */
  async #startAnew(): Promise<void> {
    const { signal } = this.#run;
    const form = this.#form;
    if (!form) return this.start();
    this.#begin();
    try {
      await form.renew({ signal });
      this.#watch(form);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  // The form replaces a promise that has failed when it begins anew, so it is looked at again after each event.
  #watch(form: CardForm): void {
    const { completed } = form;
    if (completed === this.#watched) return;
    this.#watched = completed;
    const { signal } = this.#run;
    completed.then(
      ({ cardId }) => !signal.aborted && this.#verified(cardId),
      (error: unknown) => !signal.aborted && this.#failed(error),
    );
  }

  #begin(): void {
    this.#verified(undefined);
    this.#slot.clear();
    this.#say("loading");
  }

  #heard(event: CardFormEvent): void {
    this.#log.add(event.type);
    const status = STATUS_AFTER[event.type];
    if (!status) return;
    if (status !== "failed") this.#slot.clear();
    this.#say(status);
    this.#applyTheme();
  }

  #failed(error: unknown): void {
    // An expired session is no accident; the line above the form offers the next one.
    if (isRemitError(error) && error.code === "InvalidCardOnboardingSession" && this.#status === "expired") return;
    this.#say("failed");
    this.#slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => void this.start() }]));
  }

  // Another look loads the form anew, so it waits while a card is being verified.
  #applyTheme(): void {
    if (!this.#restyle || !this.#form || this.#status === "checking" || this.#status === "verified") return;
    this.#restyle = false;
    this.#form.update({ theme: cardTheme() });
  }

  #say(status: Status): void {
    this.#status = status;
    const key: MessageKey = `card.status.${status}`;
    this.#row.setAttribute("data-status", status);
    this.#renew.hidden = status !== "expired";
    setText(this.#text, () => t(key));
  }

  #end(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#form?.destroy();
    this.#form = undefined;
    this.#watched = undefined;
    this.#restyle = false;
  }
}
