import { lookUp, t } from "../messages";
import { triggerTable, type TestCard } from "../triggers";
import { h, on } from "./dom";

/** A card number as it stands on cards. */
export function spaced(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, "$& ");
}

/** The service's test cards, for whoever tries the demo; hidden for good where the service has none. */
export function testCards(): HTMLElement {
  const list = h("ul", { class: "test-cards" });
  const details = h(
    "details",
    { class: "aside-note", hidden: true },
    h("summary", {}, () => t("test.title")),
    h("p", { class: "muted" }, () => t("test.about")),
    list,
  );
  void triggerTable().then((table) => {
    const cards = table?.cards ?? [];
    details.hidden = cards.length === 0;
    // No card number is on the shop's page unless somebody asks for these.
    on(details, { toggle: () => list.replaceChildren(...(details.open ? cards.map(line) : [])) });
  });
  return details;
}

function line({ number, description, result, code, currency }: TestCard): HTMLElement {
  const key = `test.${code ?? result}`;
  const known = lookUp(key) !== undefined;
  const outcome = known ? h("span", {}, () => (lookUp(key) ?? "").replace("{currency}", currency ?? "")) : h("span", { lang: "en" }, description);
  return h("li", {}, h("code", {}, spaced(number)), outcome);
}
