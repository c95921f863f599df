import type { CardForm, CardFormEvent } from "remitkit";
import { isRetryable } from "../errors";
import { onLanguage, t } from "../messages";
import { kit } from "../remit";
import { cardTheme, onScheme } from "../theme";
import { button } from "../ui/button";
import { CardStatus, STATUS_AFTER } from "../ui/card_status";
import { h } from "../ui/dom";
import { EventLog } from "../ui/event_log";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { testCards } from "../ui/test_cards";

const OFFERED = new Set<CardStatus["status"]>(["ready", "refused", "expired"]);

/** The hosted card form in the shop's page. The shop sees its events and the card's id, never the card. */
export class CardEntry {
  readonly element: HTMLElement;
  readonly #verified: (cardId: string | undefined) => void;
  readonly #frame = h("div", { class: "card-frame" });
  readonly #renew = button(() => t("card.renew"), () => void this.#startAnew(), "quiet");
  readonly #line = new CardStatus(this.#renew);
  readonly #slot = new NoticeSlot();
  readonly #log = new EventLog();
  readonly #stops: (() => void)[];
  #run = new AbortController();
  #form: CardForm | undefined;
  #watched: Promise<unknown> | undefined;
  #restyle = false;

  /** `verified` gets the card's id, and nothing whenever a form is begun anew. */
  constructor(verified: (cardId: string | undefined) => void) {
    this.#verified = verified;
    this.element = h("div", { class: "stack" }, this.#line.element, h("div", { class: "card-room" }, this.#slot.element, this.#frame), testCards(), this.#log.element);
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
    if (status !== "failed") this.#slot.clear();
    this.#say(status);
    this.#applyTheme();
  }

  #failed(error: unknown): void {
    if (this.#line.isSaid(error)) return;
    this.#say("failed");
    this.#slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => void this.start() }]));
  }

  // Another look loads the form anew, so it waits while a card is being verified.
  #applyTheme(): void {
    const { status } = this.#line;
    if (!this.#restyle || !this.#form || status === "checking" || status === "verified") return;
    this.#restyle = false;
    this.#form.update({ theme: cardTheme() });
  }

  #say(status: CardStatus["status"]): void {
    this.#line.say(status);
    // Where a browser could not load the form it shows a page of its own, and says that it has: there is always a way to another one.
    this.#renew.hidden = !OFFERED.has(status);
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
