import { onLanguage } from "../messages";
import { h } from "../ui/dom";
import { siteFoot, siteHead } from "../ui/site";
import { Kits } from "./kits";
import { Picker } from "./picker";
import { Policy } from "./policy";
import { Preview } from "./preview";
import { Recorder } from "./recorder";
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
  readonly #recorder = new Recorder();
  readonly #kits = new Kits(this.#trace, this.#recorder);
  readonly #preview = new Preview(this.#trace, () => this.#kits.customer());
  readonly #policy = new Policy();
  readonly #editor = new ThemeEditor((theme) => this.#preview.show(theme));
  readonly #picker = new Picker(this.#kits, this.#preview, this.#trace, this.#recorder);

  constructor(root: HTMLElement) {
    // What stands below would be pushed about by what is still to come, so it is held back until then.
    const page = document.documentElement;
    page.toggleAttribute("data-looking", true);
    const shown = () => page.removeAttribute("data-looking");
    void Promise.allSettled([this.#picker.filled, this.#policy.show(this.#kits.customer()), this.#judge()]).then(shown);
    setTimeout(shown, LOOK_MS);
    root.append(
      siteHead(undefined, () => wt("skip")),
      h(
        "main",
        { id: "main", class: "bench", tabindex: -1 },
        h("header", { class: "bench-head stack tight" }, h("h1", {}, () => wt("title")), h("p", { class: "muted" }, () => wt("about")), this.#contents()),
        this.#picker.element,
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
        h(
          "section",
          { class: "bench-part theme-part", id: "theme", "aria-labelledby": "theme-title" },
          h("h2", { id: "theme-title" }, () => wt("theme.title")),
          h("p", { class: "muted" }, () => wt("theme.about")),
          this.#editor.element,
        ),
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
  }

  /** What there is on the page, and the way to it. */
  #contents(): HTMLElement {
    const entry = (id: string, key: "experiments" | "theme" | "timeline" | "policy") =>
      h("li", {}, h("a", { href: `#${id}` }, () => wt(`contents.${key}`)), " ", h("span", { class: "muted" }, () => wt(`contents.${key}.about`)));
    const list = h("ul", {}, entry("experiments", "experiments"), entry("theme", "theme"), entry("timeline", "timeline"), entry("policy", "policy"));
    return h("nav", { class: "contents", "aria-label": () => wt("contents") }, list);
  }

  async #judge(): Promise<void> {
    const remit = await this.#kits.customer();
    this.#editor.judge((theme) => void remit.cardFormUrl(NO_SESSION, theme));
  }

  #titled(): void {
    document.title = `${wt("title")} · Sendero`;
  }
}
