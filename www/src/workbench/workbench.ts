import { wt } from "../messages/workbench";
import { h } from "../ui/dom";
import { siteFoot } from "../ui/site";
import { benchHead } from "./bench_head";
import { Kits } from "./kits";
import { Picker } from "./picker";
import { Preview } from "./preview";
import { Recorder } from "./recorder";
import { ThemeEditor } from "./theme_editor";
import { Timeline } from "./timeline";
import { Trace } from "./trace";

/** Any id will do: the address is validated, not opened. */
const SESSION_ID = "00000000-0000-4000-8000-000000000000";
/** How long the page may be held back while its parts load. */
const LOAD_MS = 3_000;
const CONTENTS = { scenarios: "scenario", theme: "theme", timeline: "timeline" } as const;

/** The page for developers who evaluate the SDK. */
export class Workbench {
  readonly #trace = new Trace();
  readonly #recorder = new Recorder();
  readonly #kits = new Kits(this.#trace, this.#recorder);
  readonly #preview = new Preview(this.#trace, () => this.#kits.of("customer"));
  readonly #editor = new ThemeEditor((theme) => this.#preview.setTheme(theme));
  readonly #picker = new Picker(this.#kits, this.#preview, this.#trace, this.#recorder);

  constructor(root: HTMLElement) {
    // Held back until its parts are there, so that they don't push each other around.
    const { documentElement: page } = document;
    page.toggleAttribute("data-looking", true);
    const release = () => page.removeAttribute("data-looking");
    void Promise.allSettled([this.#picker.filled, this.#startEditor()]).then(release);
    setTimeout(release, LOAD_MS);
    const about = h("p.muted", () => wt("about"));
    const title = h("h1", () => wt("title"));
    const head = h("header.bench-head.stack.tight", title, about, contents());
    const form = h("section.bench-part.form-part", { "aria-labelledby": "form-title" }, [
      h("h2", { id: "form-title" }, () => wt("preview.title")),
      this.#preview.element,
    ]);
    const theme = h("section.bench-part.theme-part", { id: "theme", "aria-labelledby": "theme-title" }, [
      h("h2", { id: "theme-title" }, () => wt("theme.title")),
      h("p.muted", () => wt("theme.about")),
      this.#editor.element,
    ]);
    const main = h("main", { id: "main", class: "bench", tabindex: -1 }, [
      head,
      this.#picker.element,
      h("div.form-room", form),
      theme,
      new Timeline(this.#trace).element,
    ]);
    root.append(benchHead("workbench"), main, siteFoot("./", () => wt("shop")));
  }

  start(): void {
    document.title = `${wt("title")} · Sendero`;
    this.#preview.start();
  }

  async #startEditor(): Promise<void> {
    const remit = await this.#kits.of("customer");
    this.#editor.validateWith((theme) => void remit.cardFormUrl(SESSION_ID, theme));
  }
}

function contents(): HTMLElement {
  const entries = Object.entries(CONTENTS).map(([id, key]) => {
    return h("li", h("a", { href: `#${id}` }, () => wt(`${key}.title`)));
  });
  return h("nav.contents", { "aria-label": () => wt("contents") }, h("ul", ...entries));
}
