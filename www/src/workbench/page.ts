import { h } from "../ui/dom";
import { siteFoot, siteHead } from "../ui/site";

const PAGES = { workbench: "Workbench", fields: "Fields" };

/** Shows a page for developers, with links to all of them. */
export function showPage(current: keyof typeof PAGES, content: HTMLElement[]): void {
  const links = Object.entries(PAGES).map(([name, text]) => {
    return h("a", { href: `./${name}.html`, "aria-current": name === current && "page" }, text);
  });
  document.body.append(
    siteHead([h("nav.pages", { "aria-label": "For developers" }, ...links)], () => "Skip to the content"),
    h("main", { id: "main", class: "bench", tabindex: -1 }, ...content),
    siteFoot("./", () => "To the demo shop"),
  );
}

/** Holds the page back while its parts load, so that they don't push each other around. */
export function setLooking(isLooking: boolean): void {
  document.documentElement.toggleAttribute("data-looking", isLooking);
}

export function part(id: string, title: string, content: (HTMLElement | string)[]): HTMLElement {
  const heading = h("h2", { id: `${id}-title` }, title);
  return h("section.bench-part", { id, "aria-labelledby": `${id}-title` }, heading, ...content);
}
