import type { CardForm, CardFormOptions, RemitKit, Theme } from "remitkit";
import { t } from "../messages";
import { button } from "../ui/button";
import { h } from "../ui/dom";
import { HostedForm } from "../ui/hosted_form";
import { retry } from "../ui/notice";
import type { Kits } from "./kits";

export type Preview = ReturnType<typeof preview>;

/** Creates the live card form of the workbench. There is one: opening another replaces it. */
export function preview(kits: Kits) {
  const address = h("code");
  let theme: Theme = {};
  /** The theme that the form shows, which may be behind. */
  let shownTheme = theme;
  const hosted = new HostedForm({
    onEvent: (event) => kits.trace.event(event),
    waysOn: () => [retry(start)],
  });
  const { room } = hosted;
  const element = h("div.stack", [
    h("div.row", [
      button(() => t("card.renew"), () => void renew(), "quiet"),
      toggle("phone", "On a phone"),
      toggle("dark", "On a dark page"),
    ]),
    hosted.statusLine,
    room,
    h("details.aside-note", h("summary", "Address of the frame"), h("p.small", address)),
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
    if (hosted.status === "verified" || hosted.status === "expired") void renew();
    else if (hosted.status !== "checking") restyle();
  }

  /** Opens a form with a new session, by default the customer's. Rejects if it can't be shown. */
  async function open(options: Partial<CardFormOptions> = {}, kit?: RemitKit): Promise<CardForm> {
    const form = await hosted.open(async (container, signal) => {
      const remit = kit ?? (await kits.of());
      shownTheme = theme;
      return remit.cardForm({ container, theme, title: t("card.frame"), ...options }, { signal });
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
    await hosted.renew((current, signal) => kits.trace.call("cardForm.renew", current.renew({ signal })));
    if (hosted.form === form) restyle();
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
