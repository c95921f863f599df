import { darkTheme, isRemitError, themeContrast, type RemitKit, type Theme } from "remitkit";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { CodeBlock, copyButton } from "./code_block";
import { cardFormCodes, COLORS, differences, hex, OTHERS, valueOf, type ThemeName } from "./theme";

/** Any id will do: the address is validated, not opened. */
const SESSION_ID = "00000000-0000-4000-8000-000000000000";
const TYPING_MS = 300;
/** The parameters that most pages set. The others are folded. */
const FIRST: readonly ThemeName[] = ["primary", "buttonRadius", "font"];
const NAMES = [...Object.keys(COLORS), ...Object.keys(OTHERS)] as ThemeName[];
const UNSET = "Form’s own";
const PRESETS: Record<string, () => Theme> = {
  Light: () => ({}),
  Dark: () => ({ ...darkTheme }),
  "This shop’s": cardTheme,
};

/** The parameters of the card form's theme, its contrast problems, and the code for it. */
export class ThemeEditor {
  readonly element: HTMLElement;
  readonly #fields = new Map<ThemeName, Field>();
  readonly #verdict = h("p.contrast-title", { role: "status" });
  readonly #pairs = h("ul");
  readonly #contrast = h("div.contrast.stack.tight", this.#verdict, this.#pairs);
  readonly #changes = h("ul.theme-diff");
  readonly #code = new CodeBlock("The call", cardFormCodes({}));
  /** Resolves once the theme of the page's address is shown. */
  readonly filled: Promise<void>;
  #applied = "{}";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `changed` with the valid part of each new theme; `kit` says which part is valid. */
  constructor(
    private readonly kit: Promise<RemitKit>,
    private readonly changed: (theme: Theme) => void,
  ) {
    for (const name of NAMES) this.#fields.set(name, fieldOf(name));
    const presets = Object.entries(PRESETS).map(([label, theme]) =>
      button(() => label, () => void this.#use(theme()), "quiet"),
    );
    const rows = (isShown: (name: ThemeName) => boolean) => {
      const shown = [...this.#fields].filter(([name]) => isShown(name));
      return h("div.parameters", ...shown.map(([, { element }]) => element));
    };
    const isFirst = (name: ThemeName) => FIRST.includes(name);
    this.element = h("div.stack.theme-editor", [
      h("div.row.presets", { role: "group", "aria-label": "Mode" }, ...presets),
      rows(isFirst),
      h("details.parameter-group", [
        h("summary", "All parameters"),
        h("h3", "Colors"),
        rows((name) => name in COLORS && !isFirst(name)),
        h("h3", "Type, buttons, language and parts"),
        rows((name) => name in OTHERS && !isFirst(name)),
      ]),
      this.#contrast,
      h("div.stack.tight", [
        h("h3", "Changed from the form’s own look"),
        this.#changes,
        h("p.muted", "Nothing differs."),
      ]),
      this.#code.element,
      h("div.spread", [
        h("p.muted", "This page’s address keeps the theme."),
        copyButton("Copy the address", () => location.href),
      ]),
    ]);
    // A select reports its change as an input, too.
    on(this.element, { input: () => this.#applySoon() });
    this.filled = this.#use(Object.fromEntries(new URLSearchParams(location.search)));
  }

  /** Fills in a theme and applies it. */
  #use(theme: Theme): Promise<void> {
    const changed = differences(theme);
    for (const [name, { control }] of this.#fields) control.value = String(changed[name] ?? "");
    return this.#apply();
  }

  /** Returns what differs from the form's own look. */
  #read(): Theme {
    const fields = [...this.#fields];
    const values = fields.map(([name, { control }]) => [name, valueOf(name, control.value.trim())]);
    return differences(Object.fromEntries(values) as Theme);
  }

  #applySoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#apply(), TYPING_MS);
  }

  /** Marks invalid values and poor contrast, and applies the valid part of the theme. */
  async #apply(): Promise<void> {
    // The preview says why there is none.
    const remit = await this.kit.catch(() => undefined);
    if (!remit) return;
    const { theme, invalid } = validated(this.#read(), remit);
    for (const [name, shown] of this.#fields) {
      shown.setProblem(invalid.has(name) ? () => "Not accepted: left out." : undefined);
      const well = shown.control.previousElementSibling;
      const color = hex(String(theme[name] ?? COLORS[name]));
      if (well instanceof HTMLInputElement && color) well.value = color;
    }
    this.#showContrast(theme);
    this.#changes.replaceChildren(...Object.entries(differences(theme)).map(changeItem));
    this.#code.show(cardFormCodes(theme));
    // The page's address has the parameter names of the form's own.
    const url = new URL(location.href);
    for (const name of this.#fields.keys()) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(theme)) url.searchParams.set(name, String(value));
    history.replaceState(history.state, "", url);
    const json = JSON.stringify(theme);
    // Each change reloads the form.
    if (json !== this.#applied) this.changed(theme);
    this.#applied = json;
  }

  #showContrast(theme: Theme): void {
    const problems = themeContrast(theme);
    const { length: count } = problems;
    const verdict = count
      ? `Color pairs that are hard to read (WCAG 2.2 AA): ${count}`
      : "Every pair of colors can be told apart (WCAG 2.2 AA).";
    this.#contrast.classList.toggle("bad", count > 0);
    // The same words again would be announced again.
    if (this.#verdict.textContent !== verdict) setText(this.#verdict, verdict);
    const items = problems.map(({ foreground, background, ratio, required }) =>
      h("li", `${foreground} on ${background}: ${ratio.toFixed(2)} of ${required}`),
    );
    this.#pairs.replaceChildren(...items);
  }
}

/** Creates the field of a parameter; a color can also be picked. */
function fieldOf(name: ThemeName): Field {
  const control = controlOf(name);
  const label = () => (name === "primary" ? "Brand color: primary" : name);
  const made = field(control, { label, required: false });
  if (COLORS[name]) {
    const well = h("input", { type: "color", class: "well", "aria-label": `Choose ${name}` });
    control.before(on(well, { input: () => void (control.value = well.value) }));
  }
  return made;
}

function controlOf(name: ThemeName): Control {
  const kind = OTHERS[name];
  if (typeof kind === "object") {
    const control = h("select", { name });
    const choices = kind.map((value) => ({ value: String(value), label: () => String(value) }));
    fillSelect(control, [{ value: "", label: () => UNSET }, ...choices], "");
    return control;
  }
  const placeholder = COLORS[name] ?? `such as ${kind}`;
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  return h("input", { type: "text", name, placeholder, ...plain });
}

/** Shows a parameter's default beside its value, and a sample of each where it is a color. */
function changeItem([name, value]: [string, unknown]): HTMLElement {
  const before = COLORS[name as ThemeName];
  const after = String(value);
  const removed = h("del", before ? [sample(before), before] : UNSET);
  const inserted = h("ins", before ? [sample(after), after] : after);
  return h("li", h("code", name), " ", removed, " → ", inserted);
}

function sample(color: string): HTMLElement {
  const made = h("span.sample", { "aria-hidden": "true" });
  made.style.backgroundColor = color;
  return made;
}

/** Removes invalid values. The package's error names one of them at a time. */
function validated(given: Theme, remit: RemitKit) {
  const theme = { ...given };
  const invalid = new Set<string>();
  for (;;) {
    try {
      themeContrast(theme);
      remit.cardFormUrl(SESSION_ID, theme);
      return { theme, invalid };
    } catch (error) {
      const name = isRemitError(error) ? error.option?.replace("theme.", "") : undefined;
      if (!name || !(name in theme)) throw error;
      invalid.add(name);
      delete theme[name as ThemeName];
    }
  }
}
