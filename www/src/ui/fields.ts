import type { CorridorFieldsQuery, Country, FieldForm, FieldValue, FieldValues } from "remitkit";
import type { SenderFieldsQuery } from "remitkit";
import { defineRemitFields, type FieldsKind, type RemitFieldsElement } from "remitkit/fields";
import { currentLanguage, t } from "../messages";
import { kit } from "../remit";
import { isPhoneNumber } from "../saved_records";
import { h, live } from "./dom";

defineRemitFields();

export interface FieldsOptions
  extends Partial<Pick<RemitFieldsElement, "values" | "initial" | "masked" | "options" | "filter">> {
  query: CorridorFieldsQuery | SenderFieldsQuery;
  /** The country that phone numbers belong to; of a sender, that of the service's record. */
  country?: Country | undefined;
  phoneCountry?: string | undefined;
}

/** Countries whose parts are states. */
const STATES = ["MEX", "USA"];

/** The fields that the service asks for, in the page's own tree, where its styles and password managers are. */
export class Fields {
  readonly element: HTMLElement;
  readonly form: RemitFieldsElement;
  /** Resolves once the fields are there, which takes an element on the page. */
  readonly ready: Promise<FieldForm>;

  constructor(kind: FieldsKind, { country, phoneCountry, values = {}, ...options }: FieldsOptions) {
    const code = phoneCountry ?? country?.iso3Code ?? "";
    this.form = h("remit-fields", { kind, country: code, shadow: "none", required: true });
    this.element = h("div.field-form", this.form);
    // A number that was entered for another country is now one of this country.
    const entered = Object.entries(values).map(([id, value]) => [id, isPhoneNumber(value) ? value.number : value]);
    Object.assign(this.form, options, { values: Object.fromEntries(entered) });
    live(this.form, () => {
      const { lang } = document.documentElement;
      if (this.form.lang !== lang) Object.assign(this.form, { lang, remit: kit(), messages: texts(kind, country) });
    });
    this.ready = new Promise((resolve, reject) => {
      this.form.addEventListener("ready", () => this.form.definition && resolve(this.form.definition));
      this.form.addEventListener("error", ({ detail }) => reject(detail));
    });
  }

  /** The values of this form as they are sent; an empty field is absent. */
  get values(): FieldValues {
    return Object.fromEntries(this.form.toFields().map(({ id, value }) => [id, value]));
  }

  /** Returns what is entered, with what a record has besides, to replace the record as a whole. */
  allWith(known: FieldValues): FieldValue[] {
    const ids = this.form.definition?.fieldSets.flatMap(({ fields }) => fields.map(({ fieldId }) => fieldId));
    const others = Object.entries(known).filter(([id]) => !ids?.includes(id));
    return this.form.definition?.toFields({ ...Object.fromEntries(others), ...this.values }) ?? [];
  }

  get isEmpty(): boolean {
    return this.form.querySelector("[data-field]:not([hidden])") === null;
  }

  get isOptional(): boolean {
    return this.form.querySelector("[aria-required=true]") === null;
  }

  /** Has the customer enter values again that the service only masks. Returns whether any is shown here. */
  askAgain(fieldIds: string[]): boolean {
    return this.form.show(fieldIds.map((fieldId) => ({ fieldId, code: "MissingRequiredField" })));
  }
}

/** The shop's own texts, where the service's or the package's would not do. */
function texts(kind: FieldsKind, country: Country | undefined) {
  const state = kind === "sender" || STATES.includes(country?.iso3Code ?? "") ? t("fields.state") : undefined;
  const fields = state ? { ADDRESS_STATE: state, PAYER_STATE_PROVINCE: state } : {};
  // Spanish has a heading of its own already.
  if (currentLanguage() === "es") return { fields };
  return { fields, sets: { ADDRESS: t(kind === "sender" ? "fields.address.own" : "fields.address") } };
}
