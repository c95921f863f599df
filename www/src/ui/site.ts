import { currentLanguage, isSpain, setLanguage, t, type Language } from "../messages";
import { h, on, type LiveText } from "./dom";
import { icon, mark } from "./icons";

const LANGUAGES: Record<Language, string> = { en: "English", es: isSpain ? "Español (España)" : "Español (México)" };

/** Creates the head of a page: skip link, name, link to the documentation and the page's own `tools`. */
export function siteHead(tools: HTMLElement[], skipText: LiveText = () => t("site.skip")): HTMLElement {
  const skip = (event: Event) => {
    // Following the link would add to the browser's history, which holds the steps.
    event.preventDefault();
    document.getElementById("main")?.focus();
  };
  const name = h("span.brand-name", "Sendero");
  const badge = h("span.demo-badge", () => t("site.demo"));
  return h("header.site-head", [
    on(h("a.skip", { href: "#main" }, skipText), { click: skip }),
    h("div.brand", mark(), h("div.brand-text", name, badge)),
    h("div.site-tools", docsLink(), ...tools),
  ]);
}

export function profileButton(open: () => void): HTMLButtonElement {
  const name = () => t("profile.title");
  const label = h("span.profile-label", name);
  const attributes = { type: "button", class: "profile-button", "aria-label": name };
  return on(h("button", attributes, icon("person"), label), { click: open });
}

/** Creates the foot of a page, with links to the demo's other page and to the documentation. */
export function siteFoot(href = "./workbench.html", label: LiveText = () => t("site.workbench")) {
  const link = h("a", { href }, label);
  return h("footer.site-foot", h("p", () => t("site.about"), " ", link, " · ", docsLink()));
}

function docsLink(): HTMLElement {
  return h("a.docs-link", { href: "./docs/", hreflang: "en" }, () => t("site.docs"));
}

export function languageSwitch(): HTMLElement {
  const buttons = (Object.keys(LANGUAGES) as Language[]).map((language) => {
    const choice = h(
      "button",
      {
        type: "button",
        lang: language,
        "data-language": language,
        title: LANGUAGES[language],
        "aria-pressed": () => String(currentLanguage() === language),
      },
      language.toUpperCase(),
    );
    return on(choice, { click: () => setLanguage(language) });
  });
  return h("div.languages", { role: "group", "aria-label": () => t("site.language") }, ...buttons);
}
