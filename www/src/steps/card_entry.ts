import type { CardFormEvent, Theme } from "remitkit";
import { isRetryable } from "../errors";
import { LANGUAGE_CHANGED, lookUp, t } from "../messages";
import { kit } from "../remit";
import { cardTheme, darkScheme } from "../theme";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { HostedForm } from "../ui/hosted_form";
import { action, errorNotice, notice, NoticeSlot, plainNotice, retry } from "../ui/notice";
import { testCards } from "../ui/test_cards";

/** How long a check may take before the customer is told that the network is away. */
const OFFLINE_AFTER_MS = 2_500;

interface CardEntryOptions {
  holder: string;
  /** Gets the id of a verified card, and undefined whenever a form starts. */
  verified: (cardId: string | undefined) => void;
  useOtherMethod: () => void;
}

/** The hosted card form in the shop's page. The shop sees its events and the card's id, never the card. */
export class CardEntry {
  readonly element: HTMLElement;
  /** Beside the form, which stays usable: its language differs, or the network is away. */
  readonly #besideSlot = new NoticeSlot();
  readonly #hosted: HostedForm;
  readonly #listening = new AbortController();
  #theme: Theme = {};
  /** Whether the form may hold input: one that never had the focus is empty. */
  #isUsed = false;
  /** Whether the frame may show the browser's error page. */
  #isInDoubt = false;
  #offlineTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: CardEntryOptions) {
    this.#hosted = new HostedForm({
      onEvent: (event) => this.#handle(event),
      verified: options.verified,
      waysOn: () => this.#waysOn(),
    });
    const { statusLine, room } = this.#hosted;
    const content = [statusLine, this.#besideSlot.element, room, this.#help(), testCards()];
    this.element = h("div.stack.card-entry", ...content);
    const { signal } = this.#listening;
    const noteUse = () => (this.#isUsed ||= document.activeElement === this.#hosted.form?.element);
    addEventListener("blur", noteUse, { signal });
    const reconnect = () => {
      if (this.#hosted.status === "failed" || (this.#isInDoubt && !this.#isUsed)) void this.open();
      else this.#clearBeside();
    };
    addEventListener("online", reconnect, { signal });
    const restyle = () => this.#restyle();
    addEventListener(LANGUAGE_CHANGED, restyle, { signal });
    darkScheme.addEventListener("change", restyle, { signal });
  }

  /** Opens a form with a new session. */
  async open(): Promise<void> {
    this.#prepare();
    const title = t("card.frame", { name: this.options.holder });
    const mount = async (container: HTMLElement, signal: AbortSignal) => {
      const remit = await kit();
      this.#theme = cardTheme();
      return remit.cardForm({ container, theme: this.#theme, title, loadError: "never" }, { signal });
    };
    // The form's place shows a failure.
    await this.#hosted.open(mount).catch(() => {});
  }

  /** Shows an error of a request after the card was verified; `again` repeats that request alone. */
  showError(error: unknown, again: () => void): void {
    const another = action("card.another", () => void this.open());
    this.#hosted.slot.show(errorNotice(error, isRetryable(error) ? [retry(again), another] : [another]));
  }

  close(): void {
    this.#hosted.close();
    clearTimeout(this.#offlineTimer);
    this.#listening.abort();
  }

  async #renew(): Promise<void> {
    if (!this.#hosted.form) return this.open();
    this.#prepare();
    await this.#hosted.renew();
  }

  #prepare(): void {
    // The control that was pressed is about to be removed.
    if (this.element.contains(document.activeElement)) this.#hosted.focusStatus();
    this.options.verified(undefined);
    this.#besideSlot.clear();
    this.#isUsed = this.#isInDoubt = false;
  }

  #handle(event: CardFormEvent): void {
    const { slot } = this.#hosted;
    if (event.type === "LOAD_FAILED" && event.hasLoaded) return this.#warnBeside();
    if (event.type === "LOAD_FAILED") {
      const reason = navigator.onLine ? event.reason : "offline";
      const text = () => lookUp(`card.failed.${reason}`) ?? t("card.failed.unreachable");
      const title = () => t("error.title.frame");
      slot.show(notice({ tone: "error", title, text, actions: this.#waysOn() }));
    } else if (event.type === "CARD_VALIDATION_STOP_EXPIRED") {
      const actions = [action("card.renew", () => void this.#renew())];
      slot.show(plainNotice("warning", "card.status.expired", "card.expired.text", actions));
    } else slot.clear();
    this.#clearBeside();
    if (event.type === "CARD_VALIDATION_START") {
      // Says why the check takes long: the browser has no network.
      const offline = () => plainNotice("warning", "error.title.offline", "card.offline.text");
      const warn = () => navigator.onLine || this.#besideSlot.put(offline());
      this.#offlineTimer = setTimeout(warn, OFFLINE_AFTER_MS);
    }
  }

  #clearBeside(): void {
    clearTimeout(this.#offlineTimer);
    this.#besideSlot.clear();
    this.#restyle();
  }

  /** The frame has a page, but its server does not answer: perhaps a blocker stops only that question. */
  #warnBeside(): void {
    this.#hosted.slot.clear();
    this.#isInDoubt = true;
    const text = navigator.onLine ? "card.doubt.text" : "card.failed.offline";
    this.#besideSlot.put(plainNotice("warning", "card.doubt.title", text, this.#waysOn()));
  }

  #waysOn(): HTMLElement[] {
    return [retry(() => void this.open()), action("card.otherway", this.options.useOtherMethod)];
  }

  /** Offers to reload the form: the page can't tell it from an error page of the browser in the frame. */
  #help(): HTMLElement {
    const reload = () => {
      details.open = false;
      void this.#renew();
    };
    const details: HTMLDetailsElement = h("details.aside-note.card-help", [
      h("summary", () => t("card.help")),
      h("p.muted.small", () => t("card.help.text")),
      button(() => t("card.reload"), reload, "quiet"),
    ]);
    return details;
  }

  /** Applies a changed theme. That reloads the form, so one with input keeps its colors and its language. */
  #restyle(): void {
    const { form, status } = this.#hosted;
    const theme = cardTheme();
    if (!form || status === "checking" || status === "verified") return;
    const isSame = JSON.stringify(theme) === JSON.stringify(this.#theme);
    if (!isSame && !this.#isUsed) this.#update(theme);
    else if (theme.lng === this.#theme.lng) this.#besideSlot.clear();
    else {
      const change = action("card.language.change", () => {
        this.#hosted.focusStatus();
        this.#update(cardTheme());
      });
      this.#besideSlot.put(plainNotice("info", "card.language.title", "card.language.text", [change]));
    }
  }

  #update(theme: Theme): void {
    this.#theme = theme;
    this.#isUsed = false;
    this.#besideSlot.clear();
    this.#hosted.form?.update({ theme });
  }
}
