import { currentLocale, lookUp, t } from "../messages";
import { h } from "./dom";

const MAX_ENTRIES = 50;

/** The card form's events, newest last. Folded away: it is for developers. */
export class EventLog {
  readonly element: HTMLElement;
  readonly #list = h("ol");
  readonly #scroller: HTMLElement;

  constructor() {
    const title = () => t("card.log");
    // Not announced: the status line above the form says what matters.
    const log = { class: "events", role: "log", "aria-live": "off", tabindex: 0, "aria-label": title };
    this.#scroller = h("div", log, this.#list);
    this.element = h("details.aside-note.event-log", [
      h("summary", title),
      h("p.muted", () => t("card.log.about")),
      this.#scroller,
    ]);
  }

  add(type: string): void {
    const at = new Date();
    const time = () => at.toLocaleTimeString(currentLocale(), { hour12: false });
    this.#list.append(
      h("li.event", { "data-type": type }, [
        h("time", { datetime: at.toISOString() }, time),
        h("code", type),
        h("span", () => lookUp(`event.${type}`) ?? ""),
      ]),
    );
    while (this.#list.childElementCount > MAX_ENTRIES) this.#list.firstElementChild?.remove();
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }
}
