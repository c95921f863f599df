import type { CardForm, CardFormEvent, CardFormOptions, RemitKit, Theme } from "remitkit";
import { t } from "../messages";
import { wt } from "../messages/workbench";
import { button } from "../ui/button";
import { STATUS_AFTER } from "../ui/card_status";
import { h } from "../ui/dom";
import { HostedForm } from "../ui/hosted_form";
import { errorNotice, retry } from "../ui/notice";
import type { Trace } from "./trace";

/** How a scenario opens the form. */
export interface Opening {
  kit?: RemitKit;
  options?: Partial<CardFormOptions>;
  /** Gets the form's events until another one is opened. */
  event?: (event: CardFormEvent) => void;
}

/** The live card form of the workbench. There is one: opening another replaces it. */
export class Preview {
  readonly element: HTMLElement;
  readonly #hosted: HostedForm;
  readonly #address = h("code.address");
  #event: Opening["event"];
  #theme: Theme = {};
  /** The theme that the form shows, which may be behind. */
  #shownTheme: Theme = {};

  constructor(
    private readonly trace: Trace,
    private readonly kit: () => Promise<RemitKit>,
  ) {
    const renewButton = button(() => t("card.renew"), () => void this.renew(), "quiet");
    const event = (event: CardFormEvent) => this.#handle(event);
    this.#hosted = new HostedForm({ event, failed: (error) => this.#fail(error) }, renewButton);
    const summary = h("summary", () => wt("preview.address"));
    const details = h("details.aside-note", summary, h("p", this.#address));
    const tools = h("div.tool-buttons", this.#toggle("phone"), this.#toggle("dark"));
    this.element = h("div.stack", tools, this.#hosted.status.element, this.#hosted.room, details);
  }

  /** Creates a button that shows the form on a phone or on a dark page. The form itself stays the same. */
  #toggle(look: "phone" | "dark"): HTMLButtonElement {
    const press = () => {
      const isOn = this.#hosted.room.toggleAttribute(`data-${look}`);
      made.setAttribute("aria-pressed", String(isOn));
    };
    const made = button(() => wt(`preview.${look}`), press, "quiet");
    made.setAttribute("aria-pressed", "false");
    return made;
  }

  /** Applies a theme, which reloads the form. While a card is being verified, it waits for the next form. */
  setTheme(theme: Theme): void {
    this.#theme = theme;
    const { status } = this.#hosted.status;
    // A finished session has no form to show.
    if (status === "verified" || status === "expired") void this.renew();
    else if (status !== "checking") this.#restyle();
  }

  /** Opens a form with a new session. Rejects if it can't be shown. */
  async open({ kit, options, event }: Opening = {}): Promise<CardForm> {
    this.#event = event;
    const form = await this.#hosted.open(async (container, signal) => {
      const remit = kit ?? (await this.kit());
      this.#shownTheme = this.#theme;
      const own = { container, theme: this.#theme, title: t("card.frame") };
      return remit.cardForm({ ...own, ...options }, { signal });
    });
    this.#address.textContent = form.url;
    this.#restyle();
    return form;
  }

  /** Opens a form; a failure is shown on the page. */
  start(): void {
    this.open().catch(() => {});
  }

  focus(): void {
    const frame = this.#hosted.form?.element;
    frame?.scrollIntoView({ block: "center" });
    frame?.focus();
  }

  async renew(): Promise<void> {
    const { form } = this.#hosted;
    if (!form) return this.start();
    await this.#hosted.renew((current, signal) =>
      this.trace.call("cardForm.renew", undefined, current.renew({ signal })),
    );
    if (this.#hosted.form !== form) return;
    this.#address.textContent = form.url;
    this.#restyle();
  }

  #handle(event: CardFormEvent): void {
    this.trace.event(event);
    this.#hosted.status.set(STATUS_AFTER[event.type]);
    this.#event?.(event);
  }

  #fail(error: unknown): void {
    this.#hosted.status.set("failed");
    this.#hosted.slot.show(errorNotice(error, [retry(() => this.start())]));
  }

  #restyle(): void {
    const { form } = this.#hosted;
    if (!form || this.#shownTheme === this.#theme) return;
    form.update({ theme: this.#theme });
    this.#shownTheme = this.#theme;
    this.#address.textContent = form.url;
  }
}
