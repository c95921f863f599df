import { currentLanguage, setLanguage, t, type Language } from "../messages";
import { h, on, type LiveText } from "./dom";
import { icon } from "./icons";

const LANGUAGES: Record<Language, string> = { en: "English", es: "Español" };

/** Creates the head of a page: skip link, name, link to the documentation and the page's own `tools`. */
export function siteHead(tools: HTMLElement[], skipText: LiveText = () => t("site.skip")): HTMLElement {
  const skip = (event: Event) => {
    // Following the link would add to the browser's history, which holds the steps.
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  const mark = h("img", { src: "./favicon.svg", alt: "", width: 32, height: 32 });
  const name = h("span.brand-name", "Sendero");
  const badge = h("span.demo-badge.muted.small", "Demo");
  return h("header.site-head", [
    on(h("a.skip", { href: "#main" }, skipText), { click: skip }),
    h("div.brand", mark, h("div.brand-text", name, badge)),
    h("div.site-tools", docsLink(), ...tools),
  ]);
}

export function profileButton(open: () => void): HTMLButtonElement {
  const name = () => t("profile.title");
  const label = h("span.profile-label", name);
  const attributes = { type: "button", class: "site-tool profile-button", "aria-label": name };
  return on(h("button", attributes, icon("person"), label), { click: open });
}

/** Creates the foot of a page, with links to the demo's other page and to the documentation. */
export function siteFoot(href = "./workbench.html", label: LiveText = () => t("site.workbench")) {
  const link = h("a", { href }, label);
  return h("footer.site-foot.muted.small", h("p", () => t("site.about"), " ", link, " · ", docsLink()));
}

function docsLink(): HTMLElement {
  return h("a.docs-link", { href: "./docs/", hreflang: "en" }, () => t("site.docs"));
}

/** Creates the button that shows the page in the other language, in whose words it says so. */
export function languageSwitch(): HTMLElement {
  const other = () => (currentLanguage() === "en" ? "es" : "en");
  const attributes = { type: "button", class: "site-tool", lang: other, "data-language": other };
  return on(h("button", attributes, () => LANGUAGES[other()]), { click: () => setLanguage(other()) });
}
