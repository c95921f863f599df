import { currentLanguage, setLanguage, t, type Language } from "../messages";
import { follow, h, on, type LiveText } from "./dom";
import { icon, mark } from "./icons";

/** The head of the page: the way past it, the shop's name, what the page puts beside it, the language. */
export function siteHead(beside?: HTMLElement, skipText: LiveText = () => t("site.skip")): HTMLElement {
  const skip = h("a", { class: "skip", href: "#main" }, skipText);
  // Followed as an address it would be an entry of the history, which holds the steps.
  on(skip, {
    click: (event) => {
      event.preventDefault();
      document.getElementById("main")?.focus();
    },
  });
  return h(
    "header",
    { class: "site-head" },
    skip,
    h(
      "div",
      { class: "brand" },
      mark(),
      h("div", { class: "brand-text" }, h("span", { class: "brand-name" }, "Sendero"), h("span", { class: "demo-badge" }, () => t("site.demo"))),
    ),
    h("div", { class: "site-tools" }, ...(beside ? [beside] : []), languageSwitch()),
  );
}

/** The way to what the service knows of the customer. */
export function profileButton(open: () => void): HTMLButtonElement {
  const name = () => t("profile.open");
  const label = h("span", { class: "profile-label" }, name);
  return on(h("button", { type: "button", class: "profile-button", "aria-label": name }, icon("person"), label), { click: open });
}

/** The foot of the page, with the way to the demo's other page. */
export function siteFoot(to: { href: string; label: LiveText } = { href: "./workbench.html", label: () => t("site.workbench") }): HTMLElement {
  return h("footer", { class: "site-foot" }, h("p", {}, () => t("site.about"), " ", h("a", { href: to.href }, to.label)));
}

function languageSwitch(): HTMLElement {
  const names: Record<Language, string> = { en: "English", es: "Español" };
  const group = h("div", { class: "languages", role: "group", "aria-label": () => t("site.language") });
  for (const [language, name] of Object.entries(names) as [Language, string][]) {
    const choice = h("button", { type: "button", lang: language, "data-language": language, title: name }, language.toUpperCase());
    follow(choice, () => choice.setAttribute("aria-pressed", String(currentLanguage() === language)));
    group.append(on(choice, { click: () => setLanguage(language) }));
  }
  return group;
}
