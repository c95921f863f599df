import { t, type MessageKey } from "../messages";
import { h, on } from "./dom";

const CARDS: { number: string; outcome: MessageKey }[] = [
  { number: "4111 1111 1111 1111", outcome: "test.success" },
  { number: "4000 0000 0000 0002", outcome: "test.refused" },
  { number: "4000 0000 0000 0010", outcome: "test.prepaid" },
  { number: "4000 0000 0000 0028", outcome: "test.foreign" },
  { number: "4000 0000 0000 0036", outcome: "test.expired" },
];

/** The sandbox's test cards, for whoever tries the demo. */
export function testCards(): HTMLElement {
  const list = h("ul", { class: "test-cards" });
  const details = h("details", { class: "aside-note" }, h("summary", {}, () => t("test.title")), h("p", { class: "muted" }, () => t("test.about")), list);
  // No card number is on the shop's page unless somebody asks for these.
  on(details, {
    toggle: () =>
      list.replaceChildren(
        ...(details.open ? CARDS.map(({ number, outcome }) => h("li", {}, h("code", {}, number), h("span", {}, () => t(outcome)))) : []),
      ),
  });
  return details;
}
