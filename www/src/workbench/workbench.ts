import type { RemitKit, Theme } from "remitkit";
import { onLanguage } from "../messages";
import { h } from "../ui/dom";
import { siteFoot, siteHead } from "../ui/site";
import { Kits } from "./kits";
import { Picker } from "./picker";
import { Policy } from "./policy";
import { Preview } from "./preview";
import { wt } from "./texts";
import { ThemeEditor } from "./theme_editor";
import { Timeline } from "./timeline";
import { Trace } from "./trace";

// Any will do: the address is not opened.
const NO_SESSION = "00000000-0000-4000-8000-000000000000";
// Longer than this nothing is held back.
const LOOK_MS = 3_000;

/** The page for whoever evaluates the SDK: what one would otherwise write a test for. */
export class Workbench {
  readonly #trace = new Trace();
  readonly #kits = new Kits(this.#trace);
  readonly #preview = new Preview(this.#trace, () => this.#kits.customer());
  readonly #policy = new Policy();
  readonly #editor = new ThemeEditor(
    (theme) => this.#check(theme),
    (theme) => this.#preview.show(theme),
  );
  readonly #picker = new Picker(this.#kits, this.#preview, this.#trace);
  #remit: RemitKit | undefined;

  constructor(root: HTMLElement) {
    // What stands below would be pushed about by what is still to come, so it is held back until then.
    const page = document.documentElement;
    page.toggleAttribute("data-looking", true);
    const policy = this.#policy.show(this.#kits.customer());
    const shown = () => page.removeAttribute("data-looking");
    void Promise.allSettled([this.#picker.filled, policy]).then(shown);
    setTimeout(shown, LOOK_MS);
    root.append(
      siteHead(undefined, () => wt("skip")),
      h(
        "main",
        { id: "main", class: "bench", tabindex: -1 },
        h("header", { class: "bench-head" }, h("h1", {}, () => wt("title")), h("p", { class: "muted" }, () => wt("about"))),
        h(
          "section",
          { class: "bench-part theme-part", "aria-labelledby": "theme-title" },
          h("h2", { id: "theme-title" }, () => wt("theme.title")),
          h("p", { class: "muted" }, () => wt("theme.about")),
          this.#editor.element,
        ),
        h(
          "div",
          { class: "form-room" },
          h(
            "section",
            { class: "bench-part form-part", "aria-labelledby": "form-title" },
            h("h2", { id: "form-title" }, () => wt("preview.title")),
            this.#preview.element,
          ),
        ),
        this.#picker.element,
        new Timeline(this.#trace).element,
        this.#policy.element,
      ),
      siteFoot({ href: "./", label: () => wt("shop") }),
    );
    onLanguage(() => this.#titled());
  }

  start(): void {
    this.#titled();
    this.#preview.start();
    void this.#kits.customer().then(
      (remit) => (this.#remit = remit),
      () => {},
    );
  }

  // Until the SDK is there, the form itself says what is wrong with a theme.
  #check(theme: Theme): void {
    this.#remit?.cardFormUrl(NO_SESSION, theme);
  }

  #titled(): void {
    document.title = `${wt("title")} · Sendero`;
  }
}
