import type { FieldDefinition, FieldForm, FieldProblem, FieldValues, PhoneNumber } from "remitkit";
import { fieldLabel, isDigitsOnly, problemText } from "../field_problems";
import { optionText, serviceText, t } from "../messages";
import { h, on, uniqueId, type LiveText } from "./dom";
import { field, fillSelect, type Control, type Field } from "./field";
import { SourcedSelect, type Option, type OptionChoice } from "./option_source";
import { ProblemSummary } from "./problem_summary";

/** The country that phone numbers of the form belong to, and whether these are the customer's own details. */
export interface PhoneContext {
  countryIso3Code: string;
  phoneCode?: string | undefined;
  isOwn?: boolean;
}

type Value = string | PhoneNumber;

interface Entry {
  definition: FieldDefinition;
  field: Field;
  read: () => Value | undefined;
  sourced?: SourcedSelect | undefined;
}

/** A control before it stands in a field. */
interface Made {
  control: Control;
  read: Entry["read"];
  prefix?: LiveText;
  sourced?: SourcedSelect;
}

/** What browsers know the customer's own details by. */
const OWN: Record<string, string> = {
  firstName: "given-name",
  MIDDLE_NAME: "additional-name",
  lastName: "family-name",
  NICKNAME: "nickname",
  companyName: "organization",
  DATE_OF_BIRTH: "bday",
  EMAIL_ADDRESS: "email",
  PHONE_NUMBER: "tel-national",
  ADDRESS_LINE_1: "address-line1",
  ADDRESS_LINE_2: "address-line2",
  ADDRESS_CITY: "address-level2",
  ADDRESS_STATE: "address-level1",
  ADDRESS_ZIP: "postal-code",
};

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Which of the field sets a form shows, and which options it lets choose. */
export interface FormPart extends OptionChoice {
  shows?: (fieldSetId: string) => boolean;
}

/** A form made from the current field sets. The checkout itself fills in the hidden fields. */
export class FieldFormView {
  readonly element: HTMLElement;
  readonly #form: FieldForm;
  readonly #entries: Entry[] = [];
  readonly #phone: PhoneContext;
  readonly #kept: ReadonlyMap<string, string>;
  readonly #summary = new ProblemSummary();
  readonly #choice: OptionChoice;

  /** `kept` are values that the service has and shows in part only: such a field may stay empty. */
  constructor(form: FieldForm, initial: FieldValues, phone: PhoneContext, kept: ReadonlyMap<string, string> = new Map(), part: FormPart = {}) {
    const { shows = () => true, ...choice } = part;
    this.#choice = choice;
    this.#form = form;
    this.#phone = phone;
    this.#kept = kept;
    const sets = form.fieldSets
      .filter(({ fieldSetId }) => shows(fieldSetId))
      .map((set) => ({ set, visible: set.fields.filter(isVisible).sort(byOrder) }))
      .filter(({ visible }) => visible.length > 0);
    this.element = h(
      "div",
      { class: "field-form" },
      this.#summary.element,
      ...sets.map(({ set, visible }) => {
        const entries = visible.map((definition) => this.#entry(definition, initial[definition.fieldId] ?? undefined));
        this.#entries.push(...entries);
        return h(
          "fieldset",
          { class: "field-set" },
          // One set needs no heading beside that of the step.
          h("legend", { class: sets.length > 1 ? "" : "visually-hidden" }, () => serviceText("fieldSet", set.fieldSetId, set.fieldSetName ?? "")),
          ...entries.map((entry) => entry.field.element),
        );
      }),
    );
    on(this.element, { change: () => this.#settle() });
    this.#settle();
  }

  /** Whether there is nothing to fill in. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Whether all that is asked for may be left out. */
  get needsNothing(): boolean {
    return !this.#entries.some(({ definition }) => definition.isRequired);
  }

  /** What is chosen in a field whose options the service lists elsewhere. */
  chosen(fieldId: string): Option | undefined {
    return this.#entries.find(({ definition }) => definition.fieldId === fieldId)?.sourced?.chosen;
  }

  /** The ids of all fields, of those too that only other fields bring up. */
  asked(): string[] {
    return this.#entries.map(({ definition }) => definition.fieldId);
  }

  /** The ids of the fields that are there to be filled in now. */
  shown(): string[] {
    return this.#entries.filter(({ field: { element } }) => !element.hidden).map(({ definition }) => definition.fieldId);
  }

  /** What is filled in; an empty field is absent. */
  values(): FieldValues {
    const values: FieldValues = {};
    for (const { definition, read, field: shown } of this.#entries) {
      const value = shown.element.hidden ? undefined : read();
      if (value !== undefined) values[definition.fieldId] = value;
    }
    return values;
  }

  /** Checks everything, shows every problem at its field and goes to the first. True if there is none. */
  check(): boolean {
    this.#entries.forEach((entry) => this.#say(entry, undefined));
    return !this.show(this.#problems());
  }

  /** Shows problems at their fields and focuses the only one or a summary. Returns whether any is here. */
  show(problems: readonly FieldProblem[]): boolean {
    const wrong = this.#entries.filter(({ definition }) => problems.some(({ fieldId }) => fieldId === definition.fieldId));
    for (const entry of wrong) {
      this.#say(
        entry,
        problems.find(({ fieldId }) => fieldId === entry.definition.fieldId),
      );
    }
    // What is folded would hide it.
    if (wrong.length > 0) this.element.closest("details")?.toggleAttribute("open", true);
    if (wrong.length > 1) this.#summary.lead();
    else wrong[0]?.field.control.focus();
    return wrong.length > 0;
  }

  #say(entry: Entry, problem: FieldProblem | undefined): void {
    const { definition, field: shown } = entry;
    const value = entry.read();
    const fits = (text: string) => {
      const other = typeof value === "object" ? { ...value, number: text } : text;
      return !this.#form.check({ ...this.values(), [definition.fieldId]: other }).some(({ fieldId }) => fieldId === definition.fieldId);
    };
    const text = problem && (() => problemText(problem, definition, value, fits));
    shown.setProblem(text);
    this.#summary.put(shown.control, text);
  }

  #problems(): FieldProblem[] {
    const values = this.values();
    return this.#form.check(values).filter(({ fieldId }) => !fieldId || !this.#kept.has(fieldId) || values[fieldId] !== undefined);
  }

  #checkOne(entry: Entry): void {
    const problem = this.#problems().find((one) => one.fieldId === entry.definition.fieldId);
    this.#say(entry, problem);
  }

  #settle(): void {
    // A choice that is lost may take others with it, whichever way they stand.
    while (this.#entries.map((entry) => entry.sourced?.update(this.values())).some(Boolean));
    this.#markRequired();
  }

  // A field that others make necessary ("Which purpose?") appears when
  // they do. Ask the SDK, which knows the rule.
  #markRequired(): void {
    const values = this.values();
    for (const { definition, field: shown } of this.#entries) {
      if (!definition.dependencies?.isRequired?.length || definition.isRequired) continue;
      const { [definition.fieldId]: _, ...others } = values;
      const needed = this.#form.check(others).some((problem) => problem.fieldId === definition.fieldId);
      shown.setRequired(needed);
      shown.element.hidden = !needed;
    }
  }

  #entry(definition: FieldDefinition, initial: Value | undefined): Entry {
    const { control, read, prefix, sourced } = this.#control(definition, initial);
    control.id = uniqueId("field");
    control.setAttribute("name", definition.fieldId);
    control.setAttribute("autocomplete", (this.#phone.isOwn && OWN[definition.fieldId]) || "off");
    control.setAttribute("data-field", definition.fieldId);
    const hint = definition.hintText;
    const entry: Entry = {
      definition,
      read,
      sourced,
      field: field(control, {
        label: () => fieldLabel(definition),
        hint: hint ? () => serviceText("hint", definition.fieldId, hint) : undefined,
        prefix,
        required: definition.isRequired === true,
        optionalMark: () => t("field.optional"),
      }),
    };
    sourced?.attach(entry.field);
    // Leaving a field empty on the way to another one is no mistake yet; a wrong entry is.
    const check = () => {
      if (read() !== undefined || control.hasAttribute("data-invalid")) this.#checkOne(entry);
    };
    on(control, { blur: check });
    on(control, { input: () => control.hasAttribute("data-invalid") && this.#checkOne(entry) });
    return entry;
  }

  #control(definition: FieldDefinition, initial: Value | undefined): Made {
    switch (definition.fieldType) {
      case "DROPDOWN":
        if (definition.options?.length) return dropdown(definition, initial);
        if (definition.optionsSource) {
          const sourced = new SourcedSelect(this.#form, definition, typeof initial === "string" ? initial : "", this.#choice);
          return { control: sourced.control, read: () => sourced.value, sourced };
        }
        break;
      case "DATE": {
        const { minValue, maxValue } = definition;
        const control = h("input", {
          type: "date",
          min: minValue && ISO_DATE.test(minValue) ? minValue : undefined,
          max: maxValue && ISO_DATE.test(maxValue) ? maxValue : undefined,
        });
        return { control, read: textOf(control, initial) };
      }
      case "PHONE_NUMBER":
        return this.#phoneNumber(initial);
    }
    const kept = this.#kept.get(definition.fieldId);
    const control = h("input", {
      type: definition.fieldId.startsWith("EMAIL") ? "email" : "text",
      spellcheck: "false",
      // A keypad of digits helps on a phone, but only where nothing else can be asked for.
      inputmode: definition.regex && isDigitsOnly(definition.regex) ? "numeric" : undefined,
      maxlength: definition.maxLength && definition.maxLength > 0 ? definition.maxLength : undefined,
      // One that only says the label again would be read twice.
      placeholder: kept ? () => kept.replaceAll("*", "\u2022") : definition.placeholderText && definition.placeholderText !== (definition.label ?? definition.name)
        ? () => serviceText("placeholder", definition.fieldId, definition.placeholderText ?? "")
        : undefined,
    });
    return { control, read: textOf(control, initial) };
  }

  #phoneNumber(initial: Value | undefined): Made {
    const { countryIso3Code, phoneCode = "" } = this.#phone;
    const code = phoneCode.replace(/\D/g, "");
    const control = h("input", { type: "tel", inputmode: "tel", maxlength: 24 });
    if (typeof initial === "object") control.value = initial.number;
    // The code stands beside the field, and is typed or filled in once more all the same.
    const withCode = new RegExp(`^(\\+|00)${code}`);
    const read = () => {
      const number = control.value.replace(/[\s().-]/g, "").replace(code ? withCode : "", "");
      return number ? { number, countryIso3Code, countryPhoneCode: code } : undefined;
    };
    return code ? { control, read, prefix: () => `+${code}` } : { control, read };
  }
}

function dropdown(definition: FieldDefinition, initial: Value | undefined): Made {
  const control = h("select");
  const options = (definition.options ?? []).map((option) => ({
    value: String(option.id),
    label: () => optionText(definition.fieldId, String(option.id), option.name ?? String(option.id)),
  }));
  fillSelect(control, [{ value: "", label: () => t("field.choose") }, ...options], typeof initial === "string" ? initial : "");
  return { control, read: () => control.value || undefined };
}

function textOf(control: HTMLInputElement, initial: Value | undefined): Entry["read"] {
  if (typeof initial === "string") control.value = initial;
  return () => control.value.trim() || undefined;
}

function isVisible(definition: FieldDefinition): boolean {
  return !(definition.visibility ?? "").startsWith("HIDE");
}

function byOrder(a: FieldDefinition, b: FieldDefinition): number {
  return (a.sortOrder ?? 0) - (b.sortOrder ?? 0);
}
