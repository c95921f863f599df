import { darkTheme, isRemitError, themeContrast, type ContrastProblem, type Theme } from "remitkit";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { CodeBlock } from "./code_block";
import { copyButton } from "./copy";
import { keepInAddress, themeInAddress } from "./theme_address";
import { cardFormCode, hex, isColor, onlyWhatDiffers, ownColor, PARAMETERS, themeDiff, type ParameterKind, type ThemeName } from "./theme_parameters";
import { wt } from "./texts";

interface Row {
  field: Field;
  /** The colour beside its text, which is the one that counts. */
  well?: HTMLInputElement;
}

const TYPING_MS = 300;

const PRESETS = {
  own: () => ({}),
  dark: () => ({ ...darkTheme }),
  shop: cardTheme,
} satisfies Record<string, () => Theme>;

/** All parameters of the hosted form's look, what of it is hard to read, and the code for it. */
export class ThemeEditor {
  readonly element: HTMLElement;
  readonly #changed: (theme: Theme) => void;
  #check: ((theme: Theme) => void) | undefined;
  readonly #rows = new Map<ThemeName, Row>();
  readonly #verdict = h("p", { class: "contrast-title", role: "status" });
  readonly #pairs = h("ul");
  readonly #contrast = h("div", { class: "contrast stack tight" }, this.#verdict, this.#pairs);
  readonly #code = new CodeBlock(() => wt("theme.code"));
  readonly #diff = h("ul", { class: "theme-diff" });
  readonly #same = h("p", { class: "muted" }, () => wt("theme.same"));
  #theme: Theme = themeInAddress();
  #told = "{}";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `changed` with each theme that can be shown: all of it, or what is left of its valid values. */
  constructor(changed: (theme: Theme) => void) {
    this.#changed = changed;
    const presets = Object.keys(PRESETS) as (keyof typeof PRESETS)[];
    const part = (colors: boolean) => PARAMETERS.filter(({ name }) => isColor(name) === colors).map(({ name, kind }) => this.#row(name, kind));
    this.element = h(
      "div",
      { class: "stack theme-editor" },
      h(
        "div",
        { class: "presets", role: "group", "aria-label": () => wt("theme.presets") },
        ...presets.map((name) => button(() => wt(`theme.preset.${name}`), () => this.use(PRESETS[name]()), "quiet")),
      ),
      group(() => wt("theme.colors"), part(true)),
      group(() => wt("theme.others"), part(false)),
      this.#contrast,
      h("div", { class: "stack tight" }, h("h3", {}, () => wt("theme.diff")), this.#same, this.#diff),
      this.#code.element,
      h("div", { class: "spread" }, h("p", { class: "muted" }, () => wt("theme.address")), copyButton(() => location.href, () => wt("theme.copy_address"))),
    );
  }

  /** From now on themes are judged: `check` throws the SDK's error for one that cannot be shown. */
  judge(check: (theme: Theme) => void): void {
    this.#check = check;
    this.#show();
  }

  /** Takes a whole theme. */
  use(theme: Theme): void {
    clearTimeout(this.#timer);
    this.#theme = onlyWhatDiffers(theme);
    for (const name of this.#rows.keys()) this.#fill(name);
    this.#show();
  }

  #row(name: ThemeName, kind: ParameterKind): HTMLElement {
    const control = this.#control(name, kind);
    control.setAttribute("name", name);
    control.setAttribute("spellcheck", "false");
    const made = field(control, { label: () => name, required: false });
    const row: Row = { field: made };
    if (kind.is === "color") {
      const well = h("input", { type: "color", class: "well", "aria-label": () => wt("theme.well", { name }) });
      on(well, {
        input: () => {
          control.value = well.value;
          this.#set(name, well.value, TYPING_MS);
        },
      });
      made.element.querySelector(".control")?.prepend(well);
      row.well = well;
    }
    this.#rows.set(name, row);
    this.#fill(name);
    return made.element;
  }

  #control(name: ThemeName, kind: ParameterKind): Control {
    if (kind.is === "color" || kind.is === "text") {
      const placeholder = isColor(name) ? ownColor(name) : kind.is === "text" ? wt("theme.example", { value: kind.example }) : "";
      const control = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", placeholder });
      return on(control, { input: () => this.#set(name, control.value.trim() || undefined, TYPING_MS) });
    }
    const choices = kind.is === "choice" ? kind.choices : ["true", "false"];
    const control = h("select");
    fillSelect(control, [{ value: "", label: () => wt("theme.unset") }, ...choices.map((value) => ({ value, label: () => value }))], "");
    const read = () => (control.value === "" ? undefined : kind.is === "switch" ? control.value === "true" : control.value);
    return on(control, { change: () => this.#set(name, read(), 0) });
  }

  #set(name: ThemeName, value: string | boolean | undefined, delayMs: number): void {
    this.#theme = onlyWhatDiffers({ ...this.#theme, [name]: value } as Theme);
    this.#syncWell(name);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), delayMs);
  }

  /** Brings a parameter's control in line with the theme. */
  #fill(name: ThemeName): void {
    const row = this.#rows.get(name);
    if (!row) return;
    row.field.control.value = String(this.#theme[name] ?? "");
    this.#syncWell(name);
  }

  #syncWell(name: ThemeName): void {
    const well = this.#rows.get(name)?.well;
    if (well && isColor(name)) well.value = hex(this.#theme[name] ?? ownColor(name)) ?? well.value;
  }

  /** Says what is wrong with the theme and what is hard to read, and hands on what can be shown of it. */
  #show(): void {
    // What is not judged yet may be wrong, and is in no code.
    if (!this.#check) return;
    const { theme, wrong } = this.#judged();
    for (const [name, { field: shown }] of this.#rows) shown.setProblem(wrong.has(name) ? () => wt("theme.wrong") : undefined);
    const problems = themeContrast(theme);
    const title = () => wt(problems.length > 0 ? "contrast.some" : "contrast.none", { count: problems.length });
    this.#contrast.classList.toggle("bad", problems.length > 0);
    if (this.#verdict.textContent !== title()) setText(this.#verdict, title);
    this.#pairs.replaceChildren(...problems.map(line));
    const differs = themeDiff(theme);
    this.#same.hidden = differs.length > 0;
    this.#diff.replaceChildren(...differs.map(difference));
    this.#code.text = cardFormCode(theme);
    keepInAddress(theme);
    const told = JSON.stringify(theme);
    // The form is loaded again for each.
    if (told !== this.#told) this.#changed(theme);
    this.#told = told;
  }

  // The package is the judge. It names one at fault at a time, which is then left out.
  #judged(): { theme: Theme; wrong: ReadonlySet<string> } {
    const theme: Theme = { ...this.#theme };
    const wrong = new Set<string>();
    for (;;) {
      try {
        themeContrast(theme);
        this.#check?.(theme);
        return { theme, wrong };
      } catch (error) {
        const name = isRemitError(error) ? error.option?.replace("theme.", "") : undefined;
        if (!name || !(name in theme)) throw error;
        wrong.add(name);
        delete theme[name as ThemeName];
      }
    }
  }
}

// Where there is room all of them are in sight.
const WIDE = "(min-width: 68rem)";

function group(label: LiveText, rows: HTMLElement[]): HTMLElement {
  const summary = h("summary", {}, label, h("span", { class: "muted" }, ` ${rows.length}`));
  return h("details", { class: "parameter-group", open: matchMedia(WIDE).matches }, summary, h("div", { class: "parameters" }, ...rows));
}

function line({ foreground, background, ratio, required }: ContrastProblem): HTMLElement {
  return h("li", {}, () => wt("contrast.line", { foreground, background, ratio: ratio.toFixed(2), required }));
}

function difference({ name, before, after }: { name: string; before: string | undefined; after: string }): HTMLElement {
  return h(
    "li",
    {},
    h("code", {}, name),
    " ",
    h("del", {}, swatch(before), before ?? (() => wt("theme.unset"))),
    " ",
    h("span", { "aria-hidden": "true" }, "→"),
    " ",
    h("ins", {}, isColor(name as ThemeName) ? swatch(after) : "", after),
  );
}

function swatch(color: string | undefined): HTMLElement | "" {
  if (color === undefined) return "";
  const made = h("span", { class: "swatch", "aria-hidden": "true" });
  made.style.backgroundColor = color;
  return made;
}
