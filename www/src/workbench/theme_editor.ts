import { darkTheme, isRemitError, themeContrast, type ContrastProblem, type Theme } from "remitkit";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { copyButton } from "./copy";
import { hex, isColor, onlyWhatDiffers, ownColor, PARAMETERS, themeCode, type ParameterKind, type ThemeName } from "./theme_parameters";
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
  readonly #check: (theme: Theme) => void;
  readonly #rows = new Map<ThemeName, Row>();
  readonly #verdict = h("p", { class: "contrast-title", role: "status" });
  readonly #pairs = h("ul");
  readonly #contrast = h("div", { class: "contrast" }, this.#verdict, this.#pairs);
  readonly #code = h("code");
  #theme: Theme = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `check` throws the SDK's error for a theme that cannot be shown; `changed` gets each one that can. */
  constructor(check: (theme: Theme) => void, changed: (theme: Theme) => void) {
    this.#check = check;
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
      h(
        "section",
        { class: "code-block", "aria-label": () => wt("theme.code") },
        h("header", {}, h("h3", {}, () => wt("theme.code")), copyButton(() => themeCode(this.#theme))),
        h("pre", { tabindex: 0 }, this.#code),
      ),
    );
    this.#show();
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Takes a whole theme. */
  use(theme: Theme): void {
    clearTimeout(this.#timer);
    this.#theme = onlyWhatDiffers(theme);
    for (const name of this.#rows.keys()) this.#fill(name);
    this.#show();
    this.#changed(this.#theme);
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
    this.#timer = setTimeout(() => this.#show() && this.#changed(this.#theme), delayMs);
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

  /** Says what is wrong with the theme, and what is hard to read. True if it can be shown. */
  #show(): boolean {
    setText(this.#code, themeCode(this.#theme));
    const wrong = this.#wrongParameter();
    for (const [name, { field: shown }] of this.#rows) shown.setProblem(name === wrong ? () => wt("theme.wrong") : undefined);
    this.#contrast.hidden = wrong !== undefined;
    if (wrong) return false;
    const problems = themeContrast(this.#theme);
    const title = () => wt(problems.length > 0 ? "contrast.some" : "contrast.none", { count: problems.length });
    this.#contrast.classList.toggle("bad", problems.length > 0);
    if (this.#verdict.textContent !== title()) setText(this.#verdict, title);
    this.#pairs.replaceChildren(...problems.map(line));
    return true;
  }

  // The package is the judge, and names the one at fault.
  #wrongParameter(): string | undefined {
    try {
      themeContrast(this.#theme);
      this.#check(this.#theme);
      return undefined;
    } catch (error) {
      return isRemitError(error) ? error.option?.replace("theme.", "") : undefined;
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
