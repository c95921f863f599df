import { currentLocale, lookUp, t } from "../messages";
import { follow, h } from "./dom";

const KEPT = 50;

/** What the card form has told the page, newest last. Folded away: it is for developers. */
export class EventLog {
  readonly element: HTMLElement;
  readonly #list = h("ol");
  // Not read out: the line above the form says what matters of it.
  readonly #scroller = h("div", { class: "events", role: "log", "aria-live": "off", tabindex: 0, "aria-label": () => t("card.log") }, this.#list);

  constructor() {
    this.element = h(
      "details",
      { class: "aside-note event-log" },
      h("summary", {}, () => t("card.log")),
      h("p", { class: "muted" }, () => t("card.log.about")),
      this.#scroller,
    );
  }

  add(type: string, at = new Date()): void {
    const time = h("time", { datetime: at.toISOString() });
    follow(time, () => {
      time.textContent = at.toLocaleTimeString(currentLocale(), { hour12: false });
    });
    this.#list.append(
      h("li", { class: "event", "data-type": type }, time, h("code", {}, type), h("span", {}, () => lookUp(`event.${type}`) ?? "")),
    );
    while (this.#list.childElementCount > KEPT) this.#list.firstElementChild?.remove();
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }
}
