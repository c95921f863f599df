import { t } from "../messages";
import { button } from "./button";
import { h } from "./dom";

// A form that is still loading would push around the content below it, so that is held back until the form is
// there. After this long the customer is told, and can go back.
const LONG_MS = 1_500;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Fills a place with the outline of a form that is loading, and after a while with a way `back`.
 * Call `endWaiting` when the form is there.
 */
export function showWaiting(place: Element, rows: number, back?: () => void): void {
  // Its room is there from the start, so that it moves nothing either.
  const late = h("div", { class: "skeleton-late spread muted", role: "status" });
  place.replaceChildren(
    h(
      "div",
      { class: "skeleton" },
      h("p", { class: "visually-hidden", role: "status" }, () => t("loading")),
      late,
      ...Array.from({ length: rows }, () => h("div", { class: "skeleton-field", "aria-hidden": "true" })),
    ),
  );
  document.documentElement.toggleAttribute("data-waiting", true);
  clearTimeout(timer);
  timer = setTimeout(() => {
    late.replaceChildren(h("p", {}, () => t("loading.long")), ...(back ? [button(() => t("action.back"), back, "quiet")] : []));
  }, LONG_MS);
}

/** Shows what stands below again. */
export function endWaiting(): void {
  clearTimeout(timer);
  document.documentElement.removeAttribute("data-waiting");
}
