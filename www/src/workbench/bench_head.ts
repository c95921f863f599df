import { wt } from "../messages/workbench";
import { h } from "../ui/dom";
import { siteHead } from "../ui/site";

const PAGES = { workbench: "./workbench.html", fields: "./fields.html" } as const;

/** Creates the head of a page for developers, with links to all of them. */
export function benchHead(current: keyof typeof PAGES): HTMLElement {
  const links = Object.entries(PAGES).map(([name, href]) => {
    const isCurrent = name === current;
    const key = name as keyof typeof PAGES;
    return h("a", { href, "aria-current": isCurrent && "page" }, () => wt(`page.${key}`));
  });
  return siteHead([h("nav.pages", { "aria-label": () => wt("pages") }, ...links)], () => wt("skip"));
}
