import type { FieldProblem, RemitError } from "./error.js";
import type { FieldValues, PhoneNumber } from "./fields.js";
import type { FieldDefinition, FieldSet, FieldValue } from "./records.js";

/** What a page needs to show one field. Property names and listeners are React's. */
export interface FieldControl {
  readonly field: FieldDefinition;
  /** The element to use for the control. */
  readonly element: "input" | "select";
  readonly label: string;
  readonly labelProps: { readonly id: string; readonly htmlFor: string };
  /** The control's properties. A `<select>` contains `options`, after an empty one of your own. */
  readonly controlProps: FieldControlProps;
  /** The calling code of a phone number, such as `+52`, to show before the control. */
  readonly prefix: string | undefined;
  readonly prefixProps: { readonly id: string; readonly dir: "ltr" };
  readonly hint: string | undefined;
  readonly hintProps: { readonly id: string };
  /** The problem to show, once the customer has left the field or `check` was called. */
  readonly problem: string | undefined;
  /** What the customer may have mistyped; it does not keep the values from being sent. */
  readonly warning: string | undefined;
  /** For the element with the problem, the warning or the error. It belongs outside of the label. */
  readonly problemProps: { readonly id: string };
  /** The choices of a dropdown; none while they load, or while a field that they depend on is empty. */
  readonly options: readonly FieldChoice[];
  /** Why the choices could not be fetched: show `error.userMessage` and offer `retry`. */
  readonly error: RemitError | undefined;
  readonly isLoading: boolean;
  /** Whether the field is required for the current values. */
  readonly isRequired: boolean;
  /** Whether to show the field: one that only some values of others require appears with them. */
  readonly isShown: boolean;
  /** Fetches the choices again. */
  readonly retry: () => void;
}

export interface FieldControlProps {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly type?: "text" | "tel" | "date";
  readonly inputMode?: "tel" | "numeric" | "email" | undefined;
  readonly autoCapitalize?: "characters" | "off" | undefined;
  readonly autoComplete: string;
  readonly spellCheck?: false | undefined;
  /** Never there: it would cut what is pasted. A text that is too long is a problem. */
  readonly maxLength?: undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly dir?: "ltr" | undefined;
  readonly "aria-required": boolean;
  readonly "aria-invalid": boolean;
  readonly "aria-busy": boolean;
  readonly "aria-describedby": string | undefined;
}

/** How to collect the values of a form. */
export interface FieldControlsOptions {
  /** The values to start with, such as `form.valuesOf(recipient)`. */
  values?: FieldValues | undefined;
  /** The country of phone numbers, three uppercase letters. */
  country?: string | undefined;
  /** What to show for values that the service has but masks, by field: these fields may stay empty. */
  masked?: Readonly<Record<string, string>> | undefined;
  /** Your own texts for fields and choices. */
  messages?: FieldsMessages | undefined;
  /** Returns which choices of a dropdown to offer. */
  filterOptions?: ((fieldId: string, options: readonly FieldChoice[]) => readonly FieldChoice[]) | undefined;
  /** Returns whether a field is part of this form: another screen may have the others. */
  filter?: ((field: FieldDefinition, set: FieldSet) => boolean) | undefined;
  /** Whether browsers may fill in the customer's own details, as for a sender. */
  autofill?: boolean | undefined;
  /** What the elements' ids begin with; `remit` by default. Two forms on one page need two. */
  idPrefix?: string | undefined;
}

/** A choice of a dropdown. Some services add further members. */
export interface FieldChoice {
  readonly id: string;
  readonly name?: string;
  /** Whether it is listed, but cannot be chosen. Set by `filterOptions`. */
  readonly disabled?: boolean;
}

type Texts = Readonly<Record<string, string>>;

/** A page's own texts, by the ids that the service gives. */
export interface FieldsMessages {
  /** Labels by field id. */
  fields?: Texts | undefined;
  hints?: Texts | undefined;
  placeholders?: Texts | undefined;
  /** Headings by the id of a field set. */
  sets?: Texts | undefined;
  /** Names of choices by `"FIELD_ID.OPTION_ID"` or by `"OPTION_ID"`. */
  options?: Texts | undefined;
  /** Any other text of the service, by that text. */
  words?: Texts | undefined;
  /** The texts of `<remit-fields>` itself. */
  texts?: Partial<Record<FieldsText, string>> | undefined;
}

/** A text of `<remit-fields>`. In braces is what is inserted, such as `{label}`. */
export type FieldsText =
  | "choose" | "optional" | "retry" | "loading" | "missing"
  /** A screen reader says that another value made the field `{label}` appear. */
  | "appeared"
  /** The summary's heading: one problem, or several, `{count}`. */
  | "wrong" | "allWrong"
  /** Problems: nothing was entered or chosen, or a value that the service only masks has to be entered again. */
  | "empty" | "unchosen" | "again"
  /** The number of digits, `{count}`, is not `{length}`. */
  | "digits" | "tooFewDigits" | "tooManyDigits"
  /** The text has characters, `{odd}`, that the field does not take. */
  | "odd"
  /** The number has another calling code than `{code}`. */
  | "phone"
  /** The date is before or after `{date}`. */
  | "early" | "late"
  /** The letters are of another script, or the date is incomplete or does not exist. */
  | "latin" | "date"
  | "email" | "short" | "long" | "format";

/** The elements of one field. Each is optional. */
export interface FieldElements {
  /** Hidden while the field is not to be shown. */
  row?: HTMLElement | undefined;
  label?: HTMLLabelElement | undefined;
  control?: HTMLInputElement | HTMLSelectElement | undefined;
  prefix?: HTMLElement | undefined;
  hint?: HTMLElement | undefined;
  problem?: HTMLElement | undefined;
  /** Says that a field is optional; hidden while it is required. */
  optional?: HTMLElement | undefined;
  /** A button that fetches the choices again; hidden unless that failed. */
  retry?: HTMLElement | undefined;
}

/** The controls of a form on a page without a framework. React has `useFieldForm` and `useFieldControl`. */
export interface FieldControls {
  /** All fields of the form, also those that are not shown. */
  readonly fieldIds: string[];
  readonly values: FieldValues;
  /** All problems of the current values, whether they are shown or not. */
  readonly problems: FieldProblem[];
  /** Returns what a field needs to be shown now. */
  get(fieldId: string): FieldControl;
  /** Keeps a field's elements up to date, and takes what is typed into its control. */
  bind(fieldId: string, elements: FieldElements): void;
  /**
   * Sets a value; text for a phone number becomes a number of the form's country. Clears the fields whose
   * choices depend on it, and fetches their choices again.
   */
  setValue(fieldId: string, value: string | PhoneNumber | null | undefined): void;
  /** Marks a field that the customer has left: its problem is shown, and its value becomes what is sent. */
  touch(fieldId: string): void;
  /** Returns all problems, none if the values can be sent; shows them and focuses the first wrong control. */
  check(): FieldProblem[];
  /**
   * Shows problems that the service found, such as `error.problems`, until the values change, and focuses the
   * first. Returns whether any belongs to a bound control that is shown.
   */
  showProblems(problems: readonly FieldProblem[] | undefined): boolean;
  /** Returns a value as the customer sees it: the name of a choice, a number with its prefix. */
  valueText(fieldId: string): string;
  /** Moves the focus into a bound control, by default the first that is shown. */
  focus(fieldId?: string): void;
  /** Returns the `fields` of a request, as `FieldForm.toFields`. */
  toFields(): FieldValue[];
  /**
   * Calls `listener` after each change, with the id of a field whose value was set. Returns a function that ends it.
   */
  onChange(listener: (fieldId?: string) => void): () => void;
  /** Ends requests for choices, and no longer updates the elements. */
  destroy(): void;
}
