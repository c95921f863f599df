import { t } from "../messages";
import { button } from "./button";
import { h } from "./dom";

/** After this long the customer is told, and can go back. */
const LONG_MS = 1_500;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Fills a place with the outline of a form until `endWaiting`, and offers a way `back` if it takes long.
 * Meanwhile CSS hides what follows, as the arriving form would push it around.
 */
export function showWaiting(place: Element, rows: number, back?: () => void): void {
  // Its height is reserved from the start.
  const late = h("div.skeleton-late.spread.muted", { role: "status" });
  const outline = () => h("div.skeleton-field", { "aria-hidden": "true" });
  const fields = Array.from({ length: rows }, outline);
  const status = h("p.visually-hidden", { role: "status" }, () => t("loading"));
  place.replaceChildren(h("div.skeleton.stack", status, late, ...fields));
  document.documentElement.toggleAttribute("data-waiting", true);
  clearTimeout(timer);
  timer = setTimeout(() => {
    late.append(h("p", () => t("loading.long")));
    if (back) late.append(button(() => t("action.back"), back, "quiet"));
  }, LONG_MS);
}

export function endWaiting(): void {
  clearTimeout(timer);
  document.documentElement.removeAttribute("data-waiting");
}
