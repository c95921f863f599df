import { isRemitError, type CardForm, type CardFormEvent, type Theme } from "remitkit";
import { isRetryable } from "../errors";
import { lookUp, onLanguage, t } from "../messages";
import { kit } from "../remit";
import { cardTheme, onScheme } from "../theme";
import { button } from "../ui/button";
import { CardStatus, STATUS_AFTER } from "../ui/card_status";
import { h } from "../ui/dom";
import { EventLog } from "../ui/event_log";
import { errorNotice, notice, NoticeSlot, type Action } from "../ui/notice";
import { testCards } from "../ui/test_cards";

export interface CardEntryOptions {
  /** Whose card it is. */
  name: string;
  /** Gets the card's id, and nothing whenever a form is begun anew. */
  verified: (cardId: string | undefined) => void;
  /** Leads to the other ways to receive money. */
  otherWay: () => void;
}

/** The hosted card form in the shop's page. The shop sees its events and the card's id, never the card. */
export class CardEntry {
  readonly element: HTMLElement;
  readonly #options: CardEntryOptions;
  readonly #frame = h("div", { class: "card-frame" });
  readonly #line = new CardStatus();
  readonly #slot = new NoticeSlot();
  readonly #languageSlot = new NoticeSlot();
  readonly #log = new EventLog();
  readonly #stops: (() => void)[];
  #run = new AbortController();
  #form: CardForm | undefined;
  #watched: Promise<unknown> | undefined;
  #theme: Theme = {};
  // Whether something may have been entered: a form that never had the focus is empty.
  #isUsed = false;

  constructor(options: CardEntryOptions) {
    this.#options = options;
    this.element = h(
      "div",
      { class: "stack card-entry" },
      this.#line.element,
      this.#languageSlot.element,
      h("div", { class: "card-room" }, this.#slot.element, this.#frame),
      this.#help(),
      testCards(),
      this.#log.element,
    );
    const restyle = () => this.#restyle();
    const entered = () => {
      this.#isUsed ||= this.#form !== undefined && document.activeElement === this.#form.element;
    };
    const online = () => this.#line.status === "failed" && void this.start();
    addEventListener("blur", entered);
    addEventListener("online", online);
    this.#stops = [onLanguage(restyle), onScheme(restyle), () => removeEventListener("blur", entered), () => removeEventListener("online", online)];
  }

  /** Shows a form with a session of its own; an earlier one is gone. */
  async start(): Promise<void> {
    this.#end();
    const { signal } = this.#run;
    this.#begin();
    try {
      const remit = await kit();
      this.#theme = cardTheme();
      const options = { container: this.#frame, theme: this.#theme, title: t("card.frame", { name: this.#options.name }), loadError: "never" as const };
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

  // Called after each event: the form replaces a rejected promise when it restarts.
  #watch(form: CardForm): void {
    const { completed } = form;
    if (completed === this.#watched) return;
    this.#watched = completed;
    const { signal } = this.#run;
    completed.then(
      ({ cardId }) => !signal.aborted && this.#options.verified(cardId),
      (error: unknown) => !signal.aborted && this.#failed(error),
    );
  }

  #begin(): void {
    // What was pressed for it is about to go.
    const hadFocus = this.element.contains(document.activeElement);
    this.#options.verified(undefined);
    this.#slot.clear();
    this.#languageSlot.clear();
    this.#isUsed = false;
    this.#line.say("loading");
    if (hadFocus) this.#line.focus();
  }

  #heard(event: CardFormEvent): void {
    this.#log.add(event.type);
    const status = STATUS_AFTER[event.type];
    if (event.type === "LOAD_FAILED") this.#notLoaded(event.reason);
    else if (status === "expired") this.#expired();
    else this.#slot.clear();
    this.#line.say(status);
    this.#restyle();
  }

  #failed(error: unknown): void {
    // What the form has told is said already.
    if (this.#line.isSaid(error) || (this.#form && isRemitError(error) && error.code === "CardFormLoadFailed")) return;
    this.#line.say("failed");
    this.#slot.show(errorNotice(error, this.#waysOn()));
  }

  #notLoaded(reason: string): void {
    const why = navigator.onLine ? reason : "offline";
    const text = () => lookUp(`card.failed.${why}`) ?? t("card.failed.unreachable");
    this.#slot.show(notice({ tone: "error", title: () => t("error.title.frame"), text, actions: this.#waysOn() }));
  }

  #expired(): void {
    const renew = { label: () => t("card.renew"), run: () => void this.#startAnew() };
    this.#slot.show(notice({ tone: "warning", title: () => t("card.status.expired"), text: () => t("card.expired.text"), actions: [renew] }));
  }

  #waysOn(): Action[] {
    return [
      { label: () => t("action.again"), run: () => void this.start() },
      { label: () => t("card.otherway"), run: this.#options.otherWay },
    ];
  }

  // A browser's own page in the frame loads as the form does, and the customer alone can tell them apart.
  #help(): HTMLElement {
    const reload = () => {
      details.open = false;
      void this.#startAnew();
    };
    const details: HTMLDetailsElement = h(
      "details",
      { class: "aside-note card-help" },
      h("summary", {}, () => t("card.help")),
      h("p", { class: "muted" }, () => t("card.help.text")),
      button(() => t("card.reload"), reload, "quiet"),
    );
    return details;
  }

  // Changing the theme reloads the form and loses the input: a form in use keeps its theme, and its
  // language until the customer says otherwise.
  #restyle(): void {
    const { status } = this.#line;
    const theme = cardTheme();
    if (!this.#form || status === "checking" || status === "verified") return;
    if (JSON.stringify(theme) === JSON.stringify(this.#theme)) this.#languageSlot.clear();
    else if (!this.#isUsed) this.#update(theme);
    else if (theme.lng === this.#theme.lng) this.#languageSlot.clear();
    else this.#languageSlot.put(this.#languageNotice());
  }

  #languageNotice(): HTMLElement {
    const change = () => {
      this.#line.focus();
      this.#update(cardTheme());
    };
    const actions = [{ label: () => t("card.language.change"), run: change }];
    return notice({ tone: "info", title: () => t("card.language.title"), text: () => t("card.language.text"), actions });
  }

  #update(theme: Theme): void {
    this.#theme = theme;
    this.#isUsed = false;
    this.#languageSlot.clear();
    this.#form?.update({ theme });
  }

  #end(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#form?.destroy();
    this.#form = undefined;
    this.#watched = undefined;
  }
}
