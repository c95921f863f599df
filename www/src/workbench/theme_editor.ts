import { darkTheme, isRemitError, lightTheme, themeContrast, type Theme, type ThemeColor } from "remitkit";
import { wt } from "../messages/workbench";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { copyButton } from "./code_block";
import { CodeTabs } from "./code_tabs";
import { cardFormCodes, COLORS, differences, hex, OTHERS, valueOf } from "./theme";
import { writeThemeToAddress, type ParameterKind, type ThemeName } from "./theme";

const TYPING_MS = 300;
/** The parameters that most pages set. The others are folded. */
const FIRST: readonly ThemeName[] = ["primary", "buttonRadius", "font"];

const PRESETS: Record<"own" | "dark" | "shop", () => Theme> = {
  own: () => ({}),
  dark: () => ({ ...darkTheme }),
  shop: cardTheme,
};

/** The parameters of the card form's theme, its contrast problems, and the code for it. */
export class ThemeEditor {
  readonly element: HTMLElement;
  readonly #fields = new Map<ThemeName, Field>();
  readonly #wells = new Map<ThemeColor, HTMLInputElement>();
  readonly #verdict = h("p.contrast-title", { role: "status" });
  readonly #pairs = h("ul");
  readonly #contrast = h("div.contrast.stack.tight", this.#verdict, this.#pairs);
  readonly #changes = h("ul.theme-diff");
  readonly #code = new CodeTabs(() => wt("theme.code"));
  #check: ((theme: Theme) => void) | undefined;
  #applied = "{}";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `changed` with the valid part of each new theme. */
  constructor(private readonly changed: (theme: Theme) => void) {
    const presets = (Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((name) =>
      button(() => wt(`theme.preset.${name}`), () => this.#use(PRESETS[name]()), "quiet"),
    );
    const colors = COLORS.map((name) => this.#color(name));
    const others = Object.entries(OTHERS).map(([name, kind]) =>
      this.#row(name as ThemeName, this.#control(kind)),
    );
    const isFirst = (row: HTMLElement) => FIRST.some((name) => row.querySelector(`[name="${name}"]`));
    const group = (label: LiveText, rows: HTMLElement[]) => [
      h("h3", label),
      h("div.parameters", ...rows.filter((row) => !isFirst(row))),
    ];
    const summary = h("summary", () => wt("theme.all"));
    const copyAddress = copyButton(() => location.href, () => wt("theme.copy_address"));
    this.element = h("div.stack.theme-editor", [
      h("div.presets", { role: "group", "aria-label": () => wt("theme.presets") }, ...presets),
      h("div.parameters", ...[...colors, ...others].filter(isFirst)),
      h("details.parameter-group", [
        summary,
        ...group(() => wt("theme.colors"), colors),
        ...group(() => wt("theme.others"), others),
      ]),
      this.#contrast,
      h("div.stack.tight", [
        h("h3", () => wt("theme.diff")),
        this.#changes,
        h("p.muted", () => wt("theme.same")),
      ]),
      this.#code.element,
      h("div.spread", h("p.muted", () => wt("theme.address")), copyAddress),
    ]);
    // A select reports its change as an input, too.
    on(this.element, { input: () => this.#applySoon() });
    this.#fill(Object.fromEntries(new URLSearchParams(location.search)));
  }

  /** Starts to validate and apply themes; `check` throws the SDK's error for an invalid one. */
  validateWith(check: (theme: Theme) => void): void {
    this.#check = check;
    this.#apply();
  }

  #use(theme: Theme): void {
    this.#fill(differences(theme));
    this.#apply();
  }

  #fill(theme: Partial<Record<ThemeName, unknown>>): void {
    for (const [name, { control }] of this.#fields) control.value = String(theme[name] ?? "");
  }

  #row(name: ThemeName, control: Control): HTMLElement {
    control.setAttribute("name", name);
    control.setAttribute("spellcheck", "false");
    const label = () => (name === "primary" ? wt("theme.brand") : name);
    const made = field(control, { label, required: false });
    this.#fields.set(name, made);
    return made.element;
  }

  #control(kind: ParameterKind): Control {
    if (typeof kind === "string") return textInput(wt("theme.example", { value: kind }));
    const control = h("select");
    const choices = kind.map((value) => ({ value: String(value), label: () => String(value) }));
    fillSelect(control, [{ value: "", label: () => wt("theme.unset") }, ...choices], "");
    return control;
  }

  #color(name: ThemeColor): HTMLElement {
    const control = textInput(lightTheme[name]);
    const row = this.#row(name, control);
    const well = h("input", { type: "color", class: "well", "aria-label": () => wt("theme.well", { name }) });
    on(well, {
      input: () => {
        control.value = well.value;
      },
    });
    this.#wells.set(name, well);
    row.querySelector(".control")?.prepend(well);
    return row;
  }

  /** Returns what differs from the form's own look. */
  #read(): Theme {
    const fields = [...this.#fields];
    const values = fields.map(([name, { control }]) => [name, valueOf(name, control.value.trim())]);
    return differences(Object.fromEntries(values) as Theme);
  }

  #applySoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), TYPING_MS);
  }

  /** Marks invalid values and poor contrast, and applies the valid part of the theme. */
  #apply(): void {
    if (!this.#check) return;
    const { theme, invalid } = validated(this.#read(), this.#check);
    for (const [name, shown] of this.#fields) {
      shown.setProblem(invalid.has(name) ? () => wt("theme.wrong") : undefined);
    }
    for (const [name, well] of this.#wells) well.value = hex(theme[name] ?? lightTheme[name]) ?? well.value;
    this.#showContrast(theme);
    this.#changes.replaceChildren(...Object.entries(differences(theme)).map(changeItem));
    this.#code.show(cardFormCodes(theme));
    writeThemeToAddress(theme);
    const json = JSON.stringify(theme);
    // Each change reloads the form.
    if (json !== this.#applied) this.changed(theme);
    this.#applied = json;
  }

  #showContrast(theme: Theme): void {
    const problems = themeContrast(theme);
    const { length: count } = problems;
    const title = () => wt(count > 0 ? "contrast.some" : "contrast.none", { count });
    this.#contrast.classList.toggle("bad", count > 0);
    if (this.#verdict.textContent !== title()) setText(this.#verdict, title);
    const items = problems.map((problem) => {
      const values = { ...problem, ratio: problem.ratio.toFixed(2) };
      return h("li", () => wt("contrast.line", values));
    });
    this.#pairs.replaceChildren(...items);
  }
}

function textInput(placeholder: string): HTMLInputElement {
  return h("input", { type: "text", autocomplete: "off", autocapitalize: "off", placeholder });
}

/** Shows a parameter's default beside its value, and a sample of each where it is a color. */
function changeItem([name, value]: [string, unknown]): HTMLElement {
  const before = (lightTheme as Record<string, string>)[name];
  const after = String(value);
  const removed = h("del", before ? [sample(before), before] : () => wt("theme.unset"));
  const inserted = h("ins", before ? [sample(after), after] : after);
  return h("li", h("code", name), " ", removed, " → ", inserted);
}

function sample(color: string): HTMLElement {
  const made = h("span.sample", { "aria-hidden": "true" });
  made.style.backgroundColor = color;
  return made;
}

/** Removes invalid values. The package's error names one of them at a time. */
function validated(given: Theme, check: (theme: Theme) => void) {
  const theme = { ...given };
  const invalid = new Set<string>();
  for (;;) {
    try {
      themeContrast(theme);
      check(theme);
      return { theme, invalid };
    } catch (error) {
      const name = isRemitError(error) ? error.option?.replace("theme.", "") : undefined;
      if (!name || !(name in theme)) throw error;
      invalid.add(name);
      delete theme[name as ThemeName];
    }
  }
}
