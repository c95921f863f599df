import { darkTheme, themeContrast, type RemitKit, type Theme } from "remitkit";
import { cardTheme } from "../theme";
import { button } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field, fillSelect, type Control, type Field } from "../ui/field";
import { codeBlock, copyButton } from "./code_block";
import { cardFormCodes, COLORS, differences, hex, OTHERS, type ThemeName } from "./theme";

/** Any id will do: the address is validated, not opened. */
const SESSION_ID = "00000000-0000-4000-8000-000000000000";
const TYPING_MS = 300;
const NAMES = [...Object.keys(COLORS), ...Object.keys(OTHERS)] as ThemeName[];
/** The parameters that most pages set. The others are folded. */
const FIRST: ThemeName[] = ["primary", "buttonRadius", "font"];
const FOLDED = NAMES.filter((name) => !FIRST.includes(name));
const FLAGS: Record<string, boolean> = { true: true, false: false };
const UNSET = "Form’s own";
const PRESETS: Record<string, () => Theme> = {
  Light: () => ({}),
  Dark: () => ({ ...darkTheme }),
  "This shop’s": cardTheme,
};

/**
 * Creates the editor of the card form's theme, with its contrast problems and the code for it. Calls
 * `changed` with the valid part of each new theme, as `kit` judges it; the first is the page address's.
 */
export function themeEditor(kit: Promise<RemitKit>, changed: (theme: Theme) => void) {
  const fields = new Map(NAMES.map((name) => [name, fieldOf(name)]));
  const verdict = h("p.notice-title", { role: "status" });
  const pairs = h("ul");
  const contrast = h("div", h("div.notice-body", verdict, pairs));
  const changes = h("ul.theme-diff.stack.tight");
  const code = codeBlock("The call", cardFormCodes({}));
  const presets = Object.entries(PRESETS).map(([label, theme]) =>
    button(() => label, () => void use(theme()), "quiet"),
  );
  const rows = (names: ThemeName[]) => h("div.parameters", ...names.map((name) => fields.get(name)?.element));
  const element = h("div.stack.theme-editor", [
    h("div.row.presets", { role: "group", "aria-label": "Mode" }, ...presets),
    rows(FIRST),
    h("details.parameter-group", [
      h("summary", "All parameters"),
      h("h3", "Colors"),
      rows(FOLDED.filter((name) => name in COLORS)),
      h("h3", "Type, buttons, language and parts"),
      rows(FOLDED.filter((name) => name in OTHERS)),
    ]),
    contrast,
    h("div.stack.tight", [
      h("h3", "Changed from the form’s own look"),
      changes,
      h("p.muted", "Nothing differs."),
    ]),
    code.element,
    h("div.spread", [
      h("p.muted", "This page’s address keeps the theme."),
      copyButton("Copy the address", () => location.href),
    ]),
  ]);
  let applied = "{}";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const input = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void apply(), TYPING_MS);
  };
  // A select reports its change as an input, too.
  on(element, { input });
  return { element, filled: use(Object.fromEntries(new URLSearchParams(location.search))) };

  function use(theme: Theme): Promise<void> {
    const own = differences(theme);
    for (const [name, { control }] of fields) control.value = String(own[name] ?? "");
    return apply();
  }

  /** Marks invalid values and poor contrast, and applies the valid part of the theme. */
  async function apply(): Promise<void> {
    // The preview says why there is none.
    const remit = await kit.catch(() => undefined);
    if (!remit) return;
    const values = [...fields].map(([name, { control }]) => {
      const text = control.value.trim();
      return [name, FLAGS[text] ?? (text || undefined)];
    });
    const given = differences(Object.fromEntries(values) as Theme);
    const accepted = Object.entries(given).filter(([name, value]) => isAccepted(remit, { [name]: value }));
    const theme: Theme = Object.fromEntries(accepted);
    const url = new URL(location.href);
    for (const [name, { control, setProblem }] of fields) {
      setProblem(name in given && !(name in theme) ? () => "Not accepted: left out." : undefined);
      const well = control.previousElementSibling as HTMLInputElement | null;
      if (well) well.value = hex(String(theme[name] ?? COLORS[name])) ?? well.value;
      // The page's address has the parameter names of the form's own.
      url.searchParams.delete(name);
      if (name in theme) url.searchParams.set(name, String(theme[name]));
    }
    history.replaceState(history.state, "", url);
    showContrast(theme);
    changes.replaceChildren(...Object.entries(theme).map(changeItem));
    code.show(cardFormCodes(theme));
    const json = JSON.stringify(theme);
    // Each change reloads the form.
    if (json !== applied) changed(theme);
    applied = json;
  }

  function showContrast(theme: Theme): void {
    const problems = themeContrast(theme);
    const { length: count } = problems;
    const text = count
      ? `Color pairs that are hard to read (WCAG 2.2 AA): ${count}`
      : "Every pair of colors can be told apart (WCAG 2.2 AA).";
    contrast.className = `contrast notice ${count ? "warning" : "success"}`;
    // The same words again would be announced again.
    if (verdict.textContent !== text) setText(verdict, text);
    const items = problems.map(({ foreground, background, ratio, required }) =>
      h("li", `${foreground} on ${background}: ${ratio.toFixed(2)} of ${required}`),
    );
    pairs.replaceChildren(...items);
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

function isAccepted(remit: RemitKit, parameter: Theme): boolean {
  try {
    themeContrast(parameter);
    remit.cardFormUrl(SESSION_ID, parameter);
    return true;
  } catch {
    return false;
  }
}
