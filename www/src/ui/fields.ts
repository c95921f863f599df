import type { CorridorFieldsQuery, FieldForm, FieldProblem, FieldValue, FieldValues } from "remitkit";
import type { RemitError, SenderFieldsQuery } from "remitkit";
import { defineRemitFields, type FieldsKind, type RemitFieldsElement } from "remitkit/fields";
import { countryInSentence, type Country } from "../amounts";
import { currentLanguage, t } from "../messages";
import { kit } from "../remit";
import { isPhoneNumber } from "../saved_records";
import { announce } from "./announcer";
import { h, live, on } from "./dom";
import { icon } from "./icons";

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

/**
 * The fields that the service asks for, and a summary if several are wrong. They are in the page's own tree,
 * where its styles, the summary's links and password managers reach them.
 */
export class Fields {
  readonly element: HTMLElement;
  readonly form: RemitFieldsElement;
  /** Resolves once the fields are there, which takes an element on the page. */
  readonly ready: Promise<FieldForm>;
  readonly #summary = h("div.notice-slot");
  /** The problems in the summary. */
  #listed = "";
  #shown: (string | undefined)[] = [];

  constructor(kind: FieldsKind, { country, phoneCountry, values, ...options }: FieldsOptions) {
    const code = phoneCountry ?? country?.iso3Code ?? "";
    this.form = h("remit-fields", { kind, country: code, shadow: "none", required: true });
    this.element = h("div.field-form", this.#summary, this.form);
    // A number that was entered for another country is now one of this country.
    const entered = Object.entries(values ?? {}).map(([id, value]) => [
      id,
      isPhoneNumber(value) ? { number: value.number, countryIso3Code: code } : value,
    ]);
    Object.assign(this.form, options, { values: Object.fromEntries(entered) });
    live(this.form, () => {
      const { lang } = document.documentElement;
      if (this.form.lang !== lang) Object.assign(this.form, { lang, remit: kit(), messages: texts(kind, country) });
    });
    this.ready = new Promise((resolve, reject) => {
      this.form.addEventListener("ready", () => this.form.definition && resolve(this.form.definition));
      this.form.addEventListener("error", ({ detail }) => reject(detail));
    });
    this.form.addEventListener("ready", () => {
      this.#clearSummary();
      this.#shown = this.#rows().map(({ dataset }) => dataset["field"]);
    });
    this.form.addEventListener("fieldchange", () => this.#announceNew());
    const update = () => this.#summary.hasChildNodes() && this.#summarize();
    on(this.form, { input: update, change: update, focusout: update });
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
    return this.#rows().length === 0;
  }

  get isOptional(): boolean {
    return this.form.querySelector("[aria-required=true]") === null;
  }

  /** Shows every problem at its field; focuses the only one or a summary. Returns whether there is none. */
  check(): boolean {
    return !this.#focus(() => !this.form.check());
  }

  /** Shows the problems of an error at their fields. Returns whether any belongs here. */
  show(error: RemitError | readonly FieldProblem[]): boolean {
    return this.#focus(() => this.form.show(error));
  }

  /** Has the customer enter values again that the service only masks. Returns whether any is shown here. */
  askAgain(fieldIds: string[]): boolean {
    const rows = this.#rows().filter(({ dataset }) => fieldIds.includes(dataset["field"] ?? ""));
    const problems = rows.map((row) => ({
      fieldId: row.dataset["field"] ?? "",
      code: "MissingRequiredField" as const,
      message: t("problem.again", { label: labelIn(row) }),
    }));
    return problems.length > 0 && this.show(problems);
  }

  #focus(showProblems: () => boolean): boolean {
    const folded = this.element.closest("details");
    const wasOpen = folded?.open;
    if (folded) folded.open = true;
    const hasProblems = showProblems();
    if (folded && !hasProblems) folded.open = wasOpen ?? false;
    this.#clearSummary();
    if (hasProblems && this.#wrong().length > 1) this.#summarize()?.focus();
    return hasProblems;
  }

  #clearSummary(): void {
    this.#listed = "";
    this.#summary.replaceChildren();
  }

  #rows(): HTMLElement[] {
    return [...this.form.querySelectorAll<HTMLElement>("[data-field]:not([hidden])")];
  }

  #wrong(): HTMLElement[] {
    return this.#rows().filter((row) => row.querySelector("[aria-invalid=true]"));
  }

  /** Lists the problems above the fields. Each entry leads to its field, and goes once that is fixed. */
  #summarize(): HTMLElement | undefined {
    const wrong = this.#wrong();
    const count = wrong.length;
    const listed = wrong.map(problemIn).join("\n");
    // The same summary stays, as it may have the focus.
    if (this.#listed === listed && count > 0) return this.#summary.querySelector<HTMLElement>(".notice") ?? undefined;
    this.#listed = listed;
    this.#summary.replaceChildren();
    if (count === 0) return undefined;
    const title = () => t(count === 1 ? "problem.summary.one" : "problem.summary", { count });
    const items = wrong.map((row) => h("li", this.#link(row)));
    const body = h("div.notice-body.stack.tight", h("h2.notice-title", title), h("ul", ...items));
    const attributes = { role: "group", tabindex: -1, "aria-label": title };
    const summary = h("div.notice.error.problem-summary", { ...attributes }, icon("alert"), body);
    this.#summary.append(summary);
    return summary;
  }

  #link(row: HTMLElement): HTMLElement {
    const click = (event: Event) => {
      // Following the link would add to the browser's history, which holds the steps.
      event.preventDefault();
      this.form.focus(row.dataset["field"]);
    };
    const href = `#${row.querySelector("[aria-invalid]")?.id}`;
    return on(h("a", { href }, problemIn(row)), { click });
  }

  #announceNew(): void {
    const rows = this.#rows();
    const added = rows.find(({ dataset }) => !this.#shown.includes(dataset["field"]));
    this.#shown = rows.map(({ dataset }) => dataset["field"]);
    if (added) announce(t("field.appeared", { label: labelIn(added) }));
  }
}

function problemIn(row: HTMLElement): string {
  return row.querySelector("[part=problem]")?.textContent ?? "";
}

function labelIn(row: HTMLElement): string {
  return row.querySelector("label")?.textContent ?? "";
}

/** The shop's own texts, where the service's or the package's would not do. */
function texts(kind: FieldsKind, country: Country | undefined) {
  const state = kind === "sender" || STATES.includes(country?.iso3Code ?? "") ? t("fields.state") : undefined;
  const fields = state ? { ADDRESS_STATE: state, PAYER_STATE_PROVINCE: state } : {};
  const phone = country && { phone: t("fields.phone", { country: countryInSentence(country) }) };
  const own = { fields, texts: { choose: t("field.choose"), ...phone } };
  // Spanish has a heading of its own already.
  if (currentLanguage() === "es") return own;
  return { ...own, sets: { ADDRESS: t(kind === "sender" ? "fields.address.own" : "fields.address") } };
}
