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

export type Preview = ReturnType<typeof preview>;

/** Creates the live card form of the workbench. There is one: opening another replaces it. */
export function preview(kits: Kits) {
  const address = h("code.address");
  let listener: Opening["event"];
  let theme: Theme = {};
  /** The theme that the form shows, which may be behind. */
  let shownTheme: Theme = {};
  const renewButton = button(() => t("card.renew"), () => void renew(), "quiet");
  const hosted = new HostedForm({ event, failed }, renewButton);
  const { status, room } = hosted;
  const element = h("div.stack", [
    h("div.row", toggle("phone", "On a phone"), toggle("dark", "On a dark page")),
    status.element,
    room,
    h("details.aside-note", h("summary", "Address of the frame"), h("p", address)),
  ]);
  return { element, setTheme, open, start, focus };

  /** Creates a button that shows the form on a phone or on a dark page. The form itself stays the same. */
  function toggle(look: string, label: string): HTMLButtonElement {
    const press = () => made.setAttribute("aria-pressed", String(room.toggleAttribute(`data-${look}`)));
    const made = button(() => label, press, "quiet");
    made.setAttribute("aria-pressed", "false");
    return made;
  }

  /** Applies a theme, which reloads the form. While a card is being verified, it waits for the next form. */
  function setTheme(next: Theme): void {
    theme = next;
    // A finished session has no form to show.
    if (status.status === "verified" || status.status === "expired") void renew();
    else if (status.status !== "checking") restyle();
  }

  /** Opens a form with a new session. Rejects if it can't be shown. */
  async function open(opening: Opening = {}): Promise<CardForm> {
    listener = opening.event;
    const form = await hosted.open(async (container, signal) => {
      const remit = opening.kit ?? (await kits.of("customer"));
      shownTheme = theme;
      return remit.cardForm({ container, theme, title: t("card.frame"), ...opening.options }, { signal });
    });
    restyle();
    return form;
  }

  /** Opens a form; a failure is shown on the page. */
  function start(): void {
    open().catch(() => {});
  }

  function focus(): void {
    const frame = hosted.form?.element;
    frame?.scrollIntoView({ block: "center" });
    frame?.focus();
  }

  async function renew(): Promise<void> {
    const { form } = hosted;
    if (!form) return start();
    await hosted.renew((current, signal) =>
      kits.trace.call("cardForm.renew", undefined, current.renew({ signal })),
    );
    if (hosted.form === form) restyle();
  }

  function event(event: CardFormEvent): void {
    kits.trace.event(event);
    status.set(STATUS_AFTER[event.type]);
    listener?.(event);
  }

  function failed(error: unknown): void {
    status.set("failed");
    hosted.slot.show(errorNotice(error, [retry(start)]));
  }

  /** Shows the newest theme, and the form's address. */
  function restyle(): void {
    const { form } = hosted;
    if (!form) return;
    if (shownTheme !== theme) form.update({ theme });
    shownTheme = theme;
    address.textContent = form.url;
  }
}
