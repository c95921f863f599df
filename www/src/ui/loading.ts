import { t } from "../messages";
import { button } from "./button";
import { h } from "./dom";

// What stands below a form that is still coming would be pushed about by it, so it is held back until the form is
// there. Who waits longer than this is told so, and can go back.
const LONG_MS = 1_500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Fills a place with the outline of a form that is being fetched, and after a while with a way `back`. `endWaiting` follows when it is there. */
export function showWaiting(place: Element, rows: number, back?: () => void): void {
  // Its room is there from the start, so that it moves nothing either.
  const late = h("div", { class: "skeleton-late", role: "status" });
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
