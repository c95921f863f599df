import { lookUp, t } from "../messages";
import { triggerTable, type TestCard } from "../triggers";
import { h, on } from "./dom";

export function groupedNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

/** Returns what a test card does, in the shop's language where it has a translation. */
export function cardOutcome({ code, result, currency }: TestCard): string | undefined {
  return lookUp(`test.${code ?? result}`)?.replace("{currency}", currency ?? "");
}

/** Creates the list of the service's test cards; it stays hidden where the service has none. */
export function testCards(): HTMLElement {
  const list = h("ul.test-cards.stack.tight.small");
  const details = h("details.aside-note", { hidden: true }, [
    h("summary", () => t("test.title")),
    h("p.muted.small", () => t("test.about")),
    list,
  ]);
  void triggerTable().then((table) => {
    const cards = table?.testCards ?? [];
    details.hidden = cards.length === 0;
    // Card numbers are on the page only while the list is open.
    on(details, { toggle: () => list.replaceChildren(...(details.open ? cards.map(row) : [])) });
  });
  return details;
}

function row(card: TestCard): HTMLElement {
  const isTranslated = cardOutcome(card) !== undefined;
  const outcome = h("span.muted", { lang: !isTranslated && "en" }, () => cardOutcome(card) ?? card.description);
  return h("li.row", h("code", groupedNumber(card.number)), outcome);
}
