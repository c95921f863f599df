import type { CallOptions } from "./remit-kit.js";
import type { FieldProblem } from "./error.js";
import type { TransferMethod } from "./corridor.js";
import type { Unlisted } from "./unlisted.js";

/** A person or a business. */
export type PartyType = "PERSON" | "BUSINESS" | Unlisted;

/** What kind of value a field takes. Open for values that come later. */
export type FieldType = "TEXT" | "PHONE_NUMBER" | "DATE" | "DROPDOWN" | Unlisted;

/** Whether a field is shown, and whether it must be filled in. Open for values that come later. */
export type Visibility =
  "SHOW_AND_REQUIRED" | "SHOW_AND_OPTIONAL" | "HIDE_AND_OPTIONAL" | "HIDE_AND_REQUIRED" | Unlisted;

/** A phone number as a field's value. */
export interface PhoneNumber {
  number: string;
  /** Three uppercase letters. */
  countryIso3Code: string;
  countryPhoneCode: string;
}

/** A collected value, as requests carry it. */
export interface FieldValue {
  id: string;
  /** Text; a date is `YYYY-MM-DD`, a choice is the id of its option. */
  value: string | PhoneNumber;
}

/** Collected values by field id. One that is empty, `null` or `undefined` counts as not filled in. */
export interface FieldValues {
  [fieldId: string]: string | PhoneNumber | null | undefined;
}

/** A value as records of the service carry it. */
export interface RecordField {
  id: string;
  name?: string | null;
  type?: string | null;
  value?: unknown;
}

/** What a form takes values of: a sender, a recipient or an account, as it was read. */
export interface ValuesRecord {
  fields?: readonly RecordField[] | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  companyName?: string | null | undefined;
}

/** A field to collect. */
export interface FieldDefinition {
  /** Names the field in what is sent. */
  fieldId: string;
  fieldType: FieldType;
  name: string;
  isRequired: boolean;
  /** A field that is hidden and required is filled in by the page, as `CARD_ID` is. */
  visibility: Visibility;
  placeholderText: string;
  label?: string | null;
  hintText?: string | null;
  sortOrder?: number | null;
  /**
   * A pattern that the value must match, as JavaScript reads it. It is tried on a value that is not longer
   * than `maxLength`, for some hundredths of a second at most: what cannot be told by then is left to the
   * service, and so is a pattern that does not compile.
   */
  regex?: string | null;
  minLength?: number | null;
  maxLength?: number | null;
  /** The earliest date. */
  minValue?: string | null;
  /** The latest date. */
  maxValue?: string | null;
  /** The choices of a dropdown. */
  options?: { id: string; name?: string | null }[] | null;
  /** Where the choices are, with `{FIELD_ID}` for the values of other fields. */
  optionsSource?: string | null;
  dependencies?: {
    /** The field must be filled in when one of these holds. */
    isRequired?: FieldDependency[] | null;
  } | null;
}

/** A condition on another field. */
export interface FieldDependency {
  comparisonOperator: "EQUAL_TO" | "NOT_EQUAL_TO" | "GREATER_THAN" | "LESS_THAN" | Unlisted;
  comparisonValues: string[];
  fieldId: string;
}

/** Fields that belong together. */
export interface FieldSet {
  fieldSetId: string;
  fieldSetName: string;
  fields: FieldDefinition[];
}

/** Which recipient or account fields are asked for. */
export interface CorridorFieldsQuery {
  /** Three uppercase letters. */
  dstCountryIso3Code: string;
  /** Three uppercase letters. */
  dstCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` if left out. */
  transferMethod?: TransferMethod | null | undefined;
  /** `PERSON` if left out. */
  recipientType?: PartyType | null | undefined;
}

/** Which sender fields are asked for. */
export interface SenderFieldsQuery {
  /** `PERSON` if left out. */
  senderType?: PartyType | null | undefined;
}

/** Which transfer fields are asked for. */
export interface TransferFieldsQuery {
  /** Three uppercase letters. */
  dstCountryIso3Code: string;
  /** Three uppercase letters. */
  dstCurrencyIso3Code: string;
  /** `BANK_ACCOUNT` if left out. */
  transferMethod?: TransferMethod | null | undefined;
}

/**
 * The fields that a screen collects, as the service asks for them at this moment. Fetch it for each
 * screen anew and keep it no longer: what is asked for changes.
 */
export interface FieldForm {
  readonly fieldSets: FieldSet[];
  /** Whether a card must be entered in the hosted card form: a `CARD_ID` is required. */
  readonly requiresCard: boolean;
  /** All problems at once, in the order of the fields; none if the values can be sent. */
  check(values: FieldValues): FieldProblem[];
  /**
   * The choices of a dropdown, given the values so far. Where a definition has an `optionsSource` they are
   * asked of the service, each time anew; there are none while a field that they depend on is empty.
   */
  options(fieldId: string, values?: FieldValues, options?: CallOptions): Promise<{ id: string; name?: string }[]>;
  /**
   * Whether a field must be filled in, given the values so far: many depend on others.
   *
   * @throws {RemitError} `InvalidRequest` if the form has no such field.
   */
  isRequired(fieldId: string, values?: FieldValues): boolean;
  /** The `fields` of a request: every value that is not empty. */
  toFields(values: FieldValues): FieldValue[];
  /**
   * The values of a sender, recipient or account that was read, for the fields that this form has: to begin
   * with where a customer changes them. The names that a record has beside its `fields` count too, under
   * either id (`firstName`, `FIRST_NAME`).
   */
  valuesOf(record: ValuesRecord): FieldValues;
}

/** The calls about what has to be collected. `RemitKit` has them. */
export interface FieldCalls {
  /** What to collect of a sender. Fetched each time. */
  senderFields(query: SenderFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  /** What to collect of a recipient. Fetched each time. */
  recipientFields(query: CorridorFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  /** What to collect of a recipient's account, and whether that is a card. Fetched each time. */
  recipientAccountFields(query: CorridorFieldsQuery, options?: CallOptions): Promise<FieldForm>;
  /** What to collect for a transfer. Fetched each time. */
  transferFields(query: TransferFieldsQuery, options?: CallOptions): Promise<FieldForm>;
}
