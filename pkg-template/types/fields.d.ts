import type { CorridorFieldsQuery, FieldSet, FieldValue, RecordField, SenderFieldsQuery } from "./records.js";
import type { TransferFieldsQuery } from "./records.js";
import type { CallOptions } from "./remit-kit.js";
import type { FieldProblem } from "./error.js";

/** A phone number as a field's value. */
export interface PhoneNumber {
  number: string;
  /** Three uppercase letters. */
  countryIso3Code: string;
  /** The calling code; by default that of the country, if RemitKit knows it. */
  countryPhoneCode?: string | null | undefined;
}

/** Collected values by field id. Empty text, `null` and `undefined` count as not filled in. */
export interface FieldValues {
  [fieldId: string]: string | PhoneNumber | null | undefined;
}

/** A sender, recipient or account as it was read, from which `valuesOf` takes form values. */
export interface ValuesRecord {
  fields?: readonly RecordField[] | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  companyName?: string | null | undefined;
}

/**
 * The fields to collect on one screen, as the service requires them now. Fetch them for each screen and do
 * not keep them longer: requirements change.
 */
export interface FieldForm {
  readonly fieldSets: FieldSet[];
  /** Whether a card must be entered in the hosted card form: `CARD_ID` is required. */
  readonly requiresCard: boolean;
  /**
   * Returns all problems at once, in the order of the fields; none if the values can be sent. Values are as
   * people type them: they are checked as `toFields` returns them.
   */
  check(values: FieldValues): FieldProblem[];
  /**
   * Returns what the customer may have mistyped: an IBAN, a CLABE or a card's number whose check digits do
   * not fit (`CheckDigitMismatch`), a phone number with too many or too few digits for its country
   * (`UnusualPhoneNumber`). Ask, but send the values if the customer insists: `check` accepts them.
   */
  warnings(values: FieldValues): FieldProblem[];
  /**
   * Returns the ids of the dropdowns whose choices depend on a field, to any depth, in the order of the
   * fields. When the field changes, clear their values: they belong to other choices.
   */
  dependents(fieldId: string): string[];
  /**
   * Returns the choices of a dropdown for these values. If the field has an `optionsSource`, each call
   * fetches them; there are none while a field that they depend on is empty.
   */
  options(
    fieldId: string, values?: FieldValues, options?: CallOptions,
  ): Promise<{ id: string; name?: string }[]>;
  /**
   * Returns whether a field is required for these values: many depend on others.
   *
   * @throws {RemitError} `InvalidRequest` if the form has no such field.
   */
  isRequired(fieldId: string, values?: FieldValues): boolean;
  /**
   * Returns the `fields` of a request: every value that is not empty, without blanks around it, and with
   * accents joined to their letters (Unicode NFC). A text that its field's pattern refuses is sent in the
   * form that the pattern accepts, if there is one: without invisible marks, in ASCII digits, without spaces
   * and hyphens around digits, in capitals (`"es91 2100 0418…"` as `"ES9121000418…"`). A phone number is
   * sent without punctuation, calling code and what is dialled within its country (`"+52 1 (55) 1234-5678"`
   * as `"5512345678"`).
   */
  toFields(values: FieldValues): FieldValue[];
  /**
   * Returns the values of a sender, recipient or account for the fields of this form, as initial values when
   * a customer edits them. The names that a record has outside its `fields` count too, under either id
   * (`firstName`, `FIRST_NAME`).
   */
  valuesOf(record: ValuesRecord): FieldValues;
}

/** The calls about fields to collect, as part of `RemitKit`. Each one fetches them from the service. */
export interface FieldCalls {
  senderFields(query: SenderFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  recipientFields(query: CorridorFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  /** Fetches the fields of a recipient's account, and whether the account is a card. */
  recipientAccountFields(query: CorridorFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  transferFields(query: TransferFieldsQuery, options?: CallOptions): Promise<FieldForm>;
}
