import { t } from "../messages";
import { h } from "./dom";

// What stands below a form that is still coming would be pushed about by it, so it is held back: until the
// form is there, or for a moment, so that Back can be reached however slow the service is.
const HELD_BACK_MS = 1_500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Fills a place with the outline of a form that is being fetched. `endWaiting` follows when it is there. */
export function showWaiting(place: Element, rows: number): void {
  place.replaceChildren(
    h(
      "div",
      { class: "skeleton", role: "status" },
      h("span", { class: "visually-hidden" }, () => t("loading")),
      ...Array.from({ length: rows }, () => h("div", { class: "skeleton-field", "aria-hidden": "true" })),
    ),
  );
  document.documentElement.toggleAttribute("data-waiting", true);
  clearTimeout(timer);
  timer = setTimeout(endWaiting, HELD_BACK_MS);
}

/** Shows what stands below again. */
export function endWaiting(): void {
  clearTimeout(timer);
  document.documentElement.removeAttribute("data-waiting");
}
