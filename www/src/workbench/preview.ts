import type { CardForm, CardFormEvent, CardFormOptions, RemitKit, Theme } from "remitkit";
import { t } from "../messages";
import { button } from "../ui/button";
import { CardStatus, STATUS_AFTER } from "../ui/card_status";
import { h } from "../ui/dom";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { wt } from "./texts";
import type { Trace } from "./trace";

/** How one form is to be opened for an experiment. */
export interface Opening {
  kit?: RemitKit;
  options?: Partial<CardFormOptions>;
  /** Hears what the form says until the next one is opened. */
  heard?: (event: CardFormEvent) => void;
}

/** The live card form. There is one on the page; whatever opens another replaces it. */
export class Preview {
  readonly element: HTMLElement;
  readonly #frame = h("div", { class: "card-frame" });
  readonly #line = new CardStatus(button(() => t("card.renew"), () => void this.renew(), "quiet"));
  readonly #address = h("code", { class: "address" });
  readonly #slot = new NoticeSlot();
  readonly #trace: Trace;
  readonly #kit: () => Promise<RemitKit>;
  #run = new AbortController();
  #form: CardForm | undefined;
  #watched: Promise<unknown> | undefined;
  #theme: Theme = {};
  // What the form shows, which may be behind.
  #shown: Theme = {};
  #isRenewing = false;

  constructor(trace: Trace, kit: () => Promise<RemitKit>) {
    this.#trace = trace;
    this.#kit = kit;
    this.element = h(
      "div",
      { class: "stack" },
      this.#line.element,
      h("div", { class: "card-room" }, this.#slot.element, this.#frame),
      h("details", { class: "aside-note" }, h("summary", {}, () => wt("preview.address")), h("p", {}, this.#address)),
    );
  }

  /** The theme from now on. A form that is idle shows it at once; it is loaded anew for that. */
  show(theme: Theme): void {
    this.#theme = theme;
    const { status } = this.#line;
    // While a card is being verified it stays as it is; the next form has the new looks.
    if (status === "checking") return;
    // A session that is over has no form to show.
    if (status === "verified" || status === "expired") void this.renew();
    else this.#restyle();
  }

  /** Shows a form with its own session in place of an earlier one. Rejects if it cannot be shown. */
  async open({ kit, options, heard }: Opening = {}): Promise<CardForm> {
    this.#end();
    const { signal } = this.#run;
    this.#line.say("loading");
    this.#slot.clear();
    try {
      const remit = kit ?? (await this.#kit());
      const theme = this.#theme;
      const form = await remit.cardForm({ container: this.#frame, theme, title: t("card.frame"), ...options }, { signal });
      if (signal.aborted) form.destroy();
      signal.throwIfAborted();
      this.#form = form;
      this.#shown = theme;
      this.#address.textContent = form.url;
      this.#follow(form, signal, heard);
      this.#restyle();
      return form;
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
      throw error;
    }
  }

  /** Opens a form and says on the page what went wrong, if something did. */
  start(): void {
    this.open().catch(() => {});
  }

  /** Leads to the form. */
  focus(): void {
    const frame = this.#form?.element;
    frame?.scrollIntoView({ block: "center" });
    frame?.focus();
  }

  /** A new session in the same place. */
  async renew(): Promise<void> {
    const form = this.#form;
    if (!form) return this.start();
    const { signal } = this.#run;
    this.#line.say("loading");
    this.#slot.clear();
    this.#isRenewing = true;
    try {
      await this.#trace.call("cardForm.renew", undefined, form.renew({ signal }));
      this.#address.textContent = form.url;
      this.#watch(form, signal);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    } finally {
      this.#isRenewing = false;
    }
    if (!signal.aborted) this.#restyle();
  }

  #follow(form: CardForm, signal: AbortSignal, heard: Opening["heard"]): void {
    // By listeners, as an iteration ends with a card and these outlive a renewal.
    for (const type of Object.keys(STATUS_AFTER) as CardFormEvent["type"][]) {
      form.on(type, (event) => {
        this.#trace.event(event);
        this.#line.say(STATUS_AFTER[type]);
        this.#watch(form, signal);
        heard?.(event);
      });
    }
    this.#watch(form, signal);
  }

  // Called after each event: a failure's reason is in the form's promise, which it replaces when it restarts.
  #watch(form: CardForm, signal: AbortSignal): void {
    const { completed } = form;
    if (completed === this.#watched) return;
    this.#watched = completed;
    completed.catch((error: unknown) => {
      if (!signal.aborted && !this.#line.isSaid(error)) this.#failed(error);
    });
  }

  #failed(error: unknown): void {
    this.#line.say("failed");
    this.#slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => this.start() }]));
  }

  #restyle(): void {
    if (!this.#form || this.#isRenewing || this.#shown === this.#theme) return;
    this.#form.update({ theme: this.#theme });
    this.#shown = this.#theme;
    this.#address.textContent = this.#form.url;
  }

  #end(): void {
    this.#run.abort();
    this.#run = new AbortController();
    this.#form?.destroy();
    this.#form = undefined;
  }
}
