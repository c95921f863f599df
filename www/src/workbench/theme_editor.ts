import { darkTheme, isRemitError, themeContrast, type Theme } from "remitkit";
import { wt } from "../messages/workbench";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText, type LiveText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { CodeBlock, copyButton } from "./code_block";
import { cardFormCode, defaultColor, differences, hex, PARAMETERS } from "./theme";
import { themeInAddress, writeThemeToAddress, type ParameterKind, type ThemeName } from "./theme";

interface Row {
  field: Field;
  well?: HTMLInputElement;
}

const TYPING_MS = 300;
/** Screens on which every parameter is in sight. */
const WIDE = "(min-width: 68rem)";

const PRESETS: Record<"own" | "dark" | "shop", () => Theme> = {
  own: () => ({}),
  dark: () => ({ ...darkTheme }),
  shop: cardTheme,
};

/** The parameters of the card form's theme, its contrast problems, and the code for it. */
export class ThemeEditor {
  readonly element: HTMLElement;
  readonly #rows = new Map<ThemeName, Row>();
  readonly #verdict = h("p.contrast-title", { role: "status" });
  readonly #pairs = h("ul");
  readonly #contrast = h("div.contrast.stack.tight", this.#verdict, this.#pairs);
  readonly #code = new CodeBlock(() => wt("theme.code"));
  readonly #diff = h("ul.theme-diff");
  readonly #same = h("p.muted", () => wt("theme.same"));
  #check: ((theme: Theme) => void) | undefined;
  #theme = themeInAddress();
  #applied = "{}";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `changed` with the valid part of each new theme. */
  constructor(private readonly changed: (theme: Theme) => void) {
    const presets = (Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((name) =>
      button(() => wt(`theme.preset.${name}`), () => this.#use(PRESETS[name]()), "quiet"),
    );
    const rows = PARAMETERS.map(({ name, kind }) => ({ kind, element: this.#row(name, kind) }));
    const group = (label: LiveText, isColor: boolean) => {
      const own = rows.filter(({ kind }) => (kind.is === "color") === isColor);
      const elements = own.map(({ element }) => element);
      const summary = h("summary", label, h("span.muted", ` ${elements.length}`));
      const attributes = { class: "parameter-group", open: matchMedia(WIDE).matches };
      return h("details", attributes, summary, h("div.parameters", ...elements));
    };
    const copyAddress = copyButton(() => location.href, () => wt("theme.copy_address"));
    this.element = h("div.stack.theme-editor", [
      h("div.presets", { role: "group", "aria-label": () => wt("theme.presets") }, ...presets),
      group(() => wt("theme.colors"), true),
      group(() => wt("theme.others"), false),
      this.#contrast,
      h("div.stack.tight", h("h3", () => wt("theme.diff")), this.#same, this.#diff),
      this.#code.element,
      h("div.spread", h("p.muted", () => wt("theme.address")), copyAddress),
    ]);
  }

  /** Starts to validate and apply themes; `check` throws the SDK's error for an invalid one. */
  validateWith(check: (theme: Theme) => void): void {
    this.#check = check;
    this.#apply();
  }

  #use(theme: Theme): void {
    clearTimeout(this.#timer);
    this.#theme = differences(theme);
    for (const name of this.#rows.keys()) this.#fill(name);
    this.#apply();
  }

  #row(name: ThemeName, kind: ParameterKind): HTMLElement {
    const control = this.#control(name, kind);
    control.setAttribute("name", name);
    control.setAttribute("spellcheck", "false");
    const made = field(control, { label: () => name, required: false });
    const row: Row = { field: made };
    if (kind.is === "color") {
      const label = () => wt("theme.well", { name });
      const well = h("input", { type: "color", class: "well", "aria-label": label });
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
      const example = kind.is === "text" ? wt("theme.example", { value: kind.example }) : "";
      const placeholder = defaultColor(name) ?? example;
      const control = h("input", { type: "text", autocomplete: "off", autocapitalize: "off", placeholder });
      return on(control, { input: () => this.#set(name, control.value.trim() || undefined, TYPING_MS) });
    }
    const values = kind.is === "choice" ? kind.choices : ["true", "false"];
    const control = h("select");
    const options = values.map((value) => ({ value, label: () => value }));
    fillSelect(control, [{ value: "", label: () => wt("theme.unset") }, ...options], "");
    const read = () => (kind.is === "switch" ? control.value === "true" : control.value);
    return on(control, { change: () => this.#set(name, control.value === "" ? undefined : read(), 0) });
  }

  #set(name: ThemeName, value: string | boolean | undefined, delayMs: number): void {
    this.#theme = differences({ ...this.#theme, [name]: value } as Theme);
    this.#fillWell(name);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#apply(), delayMs);
  }

  #fill(name: ThemeName): void {
    const row = this.#rows.get(name);
    if (row) row.field.control.value = String(this.#theme[name] ?? "");
    this.#fillWell(name);
  }

  #fillWell(name: ThemeName): void {
    const well = this.#rows.get(name)?.well;
    if (well) well.value = hex(String(this.#theme[name] ?? defaultColor(name))) ?? well.value;
  }

  /** Marks invalid values and poor contrast, and applies the valid part of the theme. */
  #apply(): void {
    if (!this.#check) return;
    const { theme, invalid } = this.#validated(this.#check);
    for (const [name, { field: shown }] of this.#rows) {
      shown.setProblem(invalid.has(name) ? () => wt("theme.wrong") : undefined);
    }
    this.#showContrast(theme);
    const changes = Object.entries(differences(theme));
    this.#same.hidden = changes.length > 0;
    this.#diff.replaceChildren(...changes.map(([name, value]) => changeItem(name, String(value))));
    this.#code.text = cardFormCode(theme);
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

  /** Removes invalid values. The package's error names one of them at a time. */
  #validated(check: (theme: Theme) => void): { theme: Theme; invalid: ReadonlySet<string> } {
    const theme: Theme = { ...this.#theme };
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
}

function changeItem(name: string, after: string): HTMLElement {
  const before = defaultColor(name);
  const arrow = h("span", { "aria-hidden": "true" }, "→");
  const removed = h("del", before && swatch(before), before ?? (() => wt("theme.unset")));
  const inserted = h("ins", before && swatch(after), after);
  return h("li", h("code", name), " ", removed, " ", arrow, " ", inserted);
}

function swatch(color: string): HTMLElement {
  const made = h("span.swatch", { "aria-hidden": "true" });
  made.style.backgroundColor = color;
  return made;
}
