import type { CardForm, CardFormEvent, CardFormOptions, RemitKit, Theme } from "remitkit";
import { t } from "../messages";
import { button } from "../ui/button";
import { STATUS_AFTER } from "../ui/card_status";
import { h } from "../ui/dom";
import { HostedForm } from "../ui/hosted_form";
import { errorNotice, retry } from "../ui/notice";
import type { Kits } from "./kits";

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

  constructor(private readonly kits: Kits) {
    const renewButton = button(() => t("card.renew"), () => void this.renew(), "quiet");
    const event = (event: CardFormEvent) => this.#handle(event);
    this.#hosted = new HostedForm({ event, failed: (error) => this.#fail(error) }, renewButton);
    const { status, room } = this.#hosted;
    const tools = h("div.row", this.#toggle("phone", "On a phone"), this.#toggle("dark", "On a dark page"));
    const address = h("details.aside-note", h("summary", "Address of the frame"), h("p", this.#address));
    this.element = h("div.stack", tools, status.element, room, address);
  }

  /** Creates a button that shows the form on a phone or on a dark page. The form itself stays the same. */
  #toggle(look: string, label: string): HTMLButtonElement {
    const press = () => {
      const isOn = this.#hosted.room.toggleAttribute(`data-${look}`);
      made.setAttribute("aria-pressed", String(isOn));
    };
    const made = button(() => label, press, "quiet");
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
      const remit = kit ?? (await this.kits.of("customer"));
      this.#shownTheme = this.#theme;
      const own = { container, theme: this.#theme, title: t("card.frame") };
      return remit.cardForm({ ...own, ...options }, { signal });
    });
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
      this.kits.trace.call("cardForm.renew", undefined, current.renew({ signal })),
    );
    if (this.#hosted.form === form) this.#restyle();
  }

  #handle(event: CardFormEvent): void {
    this.kits.trace.event(event);
    this.#hosted.status.set(STATUS_AFTER[event.type]);
    this.#event?.(event);
  }

  #fail(error: unknown): void {
    this.#hosted.status.set("failed");
    this.#hosted.slot.show(errorNotice(error, [retry(() => this.start())]));
  }

  /** Shows the newest theme, and the form's address. */
  #restyle(): void {
    const { form } = this.#hosted;
    if (!form) return;
    if (this.#shownTheme !== this.#theme) form.update({ theme: this.#theme });
    this.#shownTheme = this.#theme;
    this.#address.textContent = form.url;
  }
}
