import type { FieldDefinition, FieldForm, FieldProblem, FieldValues, PhoneNumber } from "remitkit";
import { fieldLabel, isDigitsOnly, problemText } from "../field_problems";
import { optionText, serviceText, t } from "../messages";
import { announce } from "./announcer";
import { h, on, uniqueId, type LiveText } from "./dom";
import { field, fillSelect, type Control, type Field } from "./field";
import { ProblemSummary } from "./problem_summary";
import { RemoteSelect, type Option, type OptionFilter } from "./remote_select";

type Value = string | PhoneNumber;

export interface FieldFormOptions extends OptionFilter {
  values: FieldValues;
  /** The country that phone numbers belong to, and its calling code. */
  countryIso3Code: string;
  phoneCode?: string | null | undefined;
  /** Whether the fields are the customer's own details, which the browser may autofill. */
  isOwn?: boolean;
  /** Values that the service has but masks: such a field may stay empty. */
  masked?: ReadonlyMap<string, string>;
  shows?: (fieldSetId: string) => boolean;
}

interface Input {
  control: Control;
  read: () => Value | undefined;
  prefix?: LiveText;
  remote?: RemoteSelect;
}

interface Entry extends Input {
  definition: FieldDefinition;
  field: Field;
}

/** Autofill tokens for the customer's own details. */
const AUTOCOMPLETE: Record<string, string> = {
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

/** A form made from the service's field sets. Hidden fields are left to the checkout. */
export class FieldFormView {
  readonly element: HTMLElement;
  readonly #entries: Entry[] = [];
  readonly #summary = new ProblemSummary();

  constructor(
    private readonly form: FieldForm,
    private readonly options: FieldFormOptions,
  ) {
    const { shows = () => true } = options;
    const sets = form.fieldSets
      .filter(({ fieldSetId }) => shows(fieldSetId))
      .map((set) => ({ ...set, fields: set.fields.filter(isVisible).sort(bySortOrder) }))
      .filter(({ fields }) => fields.length > 0);
    const fieldsets = sets.map(({ fieldSetId, fieldSetName, fields }) => {
      const entries = fields.map((definition) => this.#entry(definition));
      this.#entries.push(...entries);
      const legend = () => serviceText("fieldSet", fieldSetId, fieldSetName ?? "");
      return h("fieldset.field-set", [
        // A single set needs no heading besides that of the step.
        h("legend", { class: sets.length > 1 ? "" : "visually-hidden" }, legend),
        ...entries.map((entry) => entry.field.element),
      ]);
    });
    this.element = h("div.field-form", this.#summary.element, ...fieldsets);
    on(this.element, { change: () => this.#updateDependents() });
    this.#updateDependents();
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get isOptional(): boolean {
    return !this.#entries.some(({ definition }) => definition.isRequired);
  }

  /** Returns the words of the chosen option, for the review. */
  chosenText(fieldId: string): string | undefined {
    const control = this.#entries.find(({ definition }) => definition.fieldId === fieldId)?.control;
    return control instanceof HTMLSelectElement && control.value ? control.selectedOptions[0]?.text : undefined;
  }

  chosenOption(fieldId: string): Option | undefined {
    return this.#entries.find(({ definition }) => definition.fieldId === fieldId)?.remote?.chosen;
  }

  /** Returns the ids of all fields; `isShown` leaves out those that depend on other values. */
  fieldIds(isShown = false): string[] {
    const entries = this.#entries.filter(({ field: { element } }) => !isShown || !element.hidden);
    return entries.map(({ definition }) => definition.fieldId);
  }

  /** Returns the input; an empty field is absent. */
  values(): FieldValues {
    const filled = this.#entries.map(({ definition, read, field: { element } }) => [
      definition.fieldId,
      element.hidden ? undefined : read(),
    ]);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined)) as FieldValues;
  }

  /** Shows every problem at its field and moves the focus there. Returns whether there is none. */
  check(): boolean {
    this.#entries.forEach((entry) => this.#setProblem(entry, undefined));
    return !this.show(this.#problems());
  }

  /** Shows problems at their fields; focuses the only one or a summary. Returns whether any belongs here. */
  show(problems: readonly FieldProblem[]): boolean {
    const problemOf = new Map(problems.map((problem) => [problem.fieldId, problem]));
    const wrong = this.#entries.filter(({ definition }) => problemOf.has(definition.fieldId));
    for (const entry of wrong) this.#setProblem(entry, problemOf.get(entry.definition.fieldId));
    if (wrong.length > 0) this.element.closest("details")?.toggleAttribute("open", true);
    if (wrong.length > 1) this.#summary.show();
    else wrong[0]?.control.focus();
    return wrong.length > 0;
  }

  #setProblem(entry: Entry, problem: FieldProblem | undefined): void {
    const { definition, control } = entry;
    const { fieldId } = definition;
    const value = entry.read();
    const accepts = (text: string) => {
      const other = typeof value === "object" ? { ...value, number: text } : text;
      return !this.form.check({ ...this.values(), [fieldId]: other }).some((one) => one.fieldId === fieldId);
    };
    const text = problem && (() => problemText(problem, definition, value, accepts));
    entry.field.setProblem(text);
    this.#summary.set(control, text);
  }

  #problems(): FieldProblem[] {
    const values = this.values();
    const { masked } = this.options;
    const isMasked = (id = "") => masked?.has(id) && values[id] === undefined;
    return this.form.check(values).filter(({ fieldId }) => !isMasked(fieldId));
  }

  #checkEntry(entry: Entry): void {
    this.#setProblem(entry, this.#problems().find(({ fieldId }) => fieldId === entry.definition.fieldId));
  }

  #updateDependents(): void {
    // A lost choice may invalidate others, whatever their order.
    while (this.#entries.map(({ remote }) => remote?.update(this.values())).some(Boolean));
    const values = this.values();
    for (const { definition, field: shown } of this.#entries) {
      if (!definition.dependencies?.isRequired?.length || definition.isRequired) continue;
      const isRequired = this.form.isRequired(definition.fieldId, values);
      const appears = isRequired && shown.element.hidden && this.element.isConnected;
      shown.setRequired(isRequired);
      shown.element.hidden = !isRequired;
      if (appears) announce(t("field.appeared", { label: fieldLabel(definition) }));
    }
  }

  #entry(definition: FieldDefinition): Entry {
    const { fieldId, hintText, isRequired } = definition;
    const input = this.#input(definition, this.options.values[fieldId] ?? undefined);
    const { control, read, prefix, remote } = input;
    control.id = uniqueId("field");
    control.setAttribute("name", fieldId);
    control.setAttribute("autocomplete", (this.options.isOwn && AUTOCOMPLETE[fieldId]) || "off");
    control.setAttribute("data-field", fieldId);
    const made = field(control, {
      label: () => fieldLabel(definition),
      hint: hintText ? () => serviceText("hint", fieldId, hintText) : undefined,
      prefix,
      required: isRequired === true,
      optionalMark: () => t("field.optional"),
    });
    remote?.attach(made);
    const entry = { ...input, definition, field: made };
    on(control, {
      // A field that was left empty on the way to another is no mistake yet.
      blur: () => (read() !== undefined || control.hasAttribute("data-invalid")) && this.#checkEntry(entry),
      input: () => control.hasAttribute("data-invalid") && this.#checkEntry(entry),
    });
    return entry;
  }

  #input(definition: FieldDefinition, initial: Value | undefined): Input {
    const { fieldId, fieldType, optionsSource, minValue, maxValue } = definition;
    if (fieldType === "PHONE_NUMBER") return this.#phoneNumber(initial);
    const text = typeof initial === "string" ? initial : "";
    if (fieldType === "DROPDOWN" && definition.options?.length) return dropdown(definition, text);
    if (fieldType === "DROPDOWN" && optionsSource) {
      const remote = new RemoteSelect(this.form, definition, text, this.options);
      return { control: remote.control, read: () => remote.value, remote };
    }
    const date = { type: "date", min: isoDate(minValue), max: isoDate(maxValue) };
    const control = h("input", fieldType === "DATE" ? date : this.#textAttributes(definition, fieldId));
    control.value = text;
    return { control, read: () => control.value.trim() || undefined };
  }

  #textAttributes(definition: FieldDefinition, fieldId: string) {
    const { regex, maxLength, placeholderText, label, name } = definition;
    const masked = this.options.masked?.get(fieldId)?.replaceAll("*", "\u2022");
    // A placeholder that repeats the label would be read twice.
    const placeholder = placeholderText && placeholderText !== (label ?? name) ? placeholderText : undefined;
    return {
      type: fieldId.startsWith("EMAIL") ? "email" : "text",
      spellcheck: "false",
      inputmode: regex && isDigitsOnly(regex) ? "numeric" : undefined,
      maxlength: maxLength && maxLength > 0 ? maxLength : undefined,
      placeholder: masked ?? placeholder,
    };
  }

  #phoneNumber(initial: Value | undefined): Input {
    const { countryIso3Code, phoneCode } = this.options;
    const code = (phoneCode ?? "").replace(/\D/g, "");
    const control = h("input", { type: "tel", inputmode: "tel", maxlength: 24 });
    if (typeof initial === "object") control.value = initial.number;
    // Customers and browsers enter the code again, although it stands beside the field.
    const withCode = new RegExp(`^(\\+|00)${code}`);
    const read = () => {
      const number = control.value.replace(/[\s().-]/g, "").replace(code ? withCode : "", "");
      return number ? { number, countryIso3Code, countryPhoneCode: code } : undefined;
    };
    return code ? { control, read, prefix: () => `+${code}` } : { control, read };
  }
}

function dropdown({ fieldId, options }: FieldDefinition, chosen: string): Input {
  const control = h("select");
  const choices = (options ?? []).map(({ id, name }) => ({
    value: String(id),
    label: () => optionText(fieldId, String(id), name ?? String(id)),
  }));
  fillSelect(control, [{ value: "", label: () => t("field.choose") }, ...choices], chosen);
  return { control, read: () => control.value || undefined };
}

function isoDate(text: string | null | undefined): string | undefined {
  return text && ISO_DATE.test(text) ? text : undefined;
}

function isVisible({ visibility }: FieldDefinition): boolean {
  return !(visibility ?? "").startsWith("HIDE");
}

function bySortOrder(a: FieldDefinition, b: FieldDefinition): number {
  return (a.sortOrder ?? 0) - (b.sortOrder ?? 0);
}
