import type { FieldDefinition, FieldForm, FieldValues } from "remitkit";
import { rangeText } from "../amounts";
import { serviceText, t } from "../messages";
import { h, on, type LiveText } from "./dom";
import { fillSelect, type Field } from "./field";

/** An option as the service lists it; some say more than the SDK promises. */
export interface Option {
  id: string;
  name?: string;
  description?: unknown;
}

/** Which options can be chosen, and what to say where none of them can. */
export interface OptionChoice {
  fits?: (option: Option) => boolean;
  unfit?: LiveText;
}

/**
 * A choice whose options the service lists elsewhere, often by what was chosen before (the cities of a
 * state). It is closed until those choices are made, and asks again when they change.
 */
export class SourcedSelect {
  #options: readonly Option[] = [];
  readonly control = h("select", { disabled: true });
  readonly #form: FieldForm;
  readonly #fieldId: string;
  readonly #choice: OptionChoice;
  /** The ids of the fields that the options depend on. */
  readonly #dependsOn: string[];
  #values: FieldValues = {};
  #wanted: string;
  #asked: string | undefined;
  #field: Field | undefined;
  #failed = false;
  #isUnfit = false;
  #isLoading = false;

  constructor(form: FieldForm, { fieldId, optionsSource }: FieldDefinition, wanted: string, choice: OptionChoice = {}) {
    this.#choice = choice;
    this.#form = form;
    this.#fieldId = fieldId;
    this.#dependsOn = [...(optionsSource ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, id = ""]) => id);
    this.#wanted = wanted;
    fillSelect(this.control, [{ value: "", label: () => t("field.choose") }], "");
    on(this.control, { focus: () => this.#failed && void this.#load() });
  }

  /** What is chosen; what was chosen before, while the options for it are still on their way. */
  get value(): string | undefined {
    return this.control.value || (this.#isLoading ? this.#wanted : "") || undefined;
  }

  /** The option that is chosen, as the service listed it. */
  get chosen(): Option | undefined {
    return this.#options.find(({ id }) => id === this.control.value);
  }

  /** Where to say that the options could not be fetched. */
  attach(field: Field): void {
    this.#field = field;
  }

  /** Brings the options in line with what is filled in. True if the choice made here was lost by that. */
  update(values: FieldValues): boolean {
    const needed = this.#dependsOn.map((id) => values[id]);
    const next = needed.includes(undefined) ? undefined : JSON.stringify(needed);
    if (next === this.#asked) return false;
    const lost = this.control.value !== "";
    this.#asked = next;
    this.#values = values;
    this.#isLoading = false;
    this.#show([]);
    if (next !== undefined) void this.#load();
    return lost;
  }

  async #load(): Promise<void> {
    const asked = this.#asked;
    const hadFailed = this.#failed;
    this.#failed = false;
    this.#isLoading = true;
    try {
      const options = await this.#form.options(this.#fieldId, this.#values);
      if (asked !== this.#asked) return;
      this.#isLoading = false;
      // Another problem of the field is not this one's to take away: what it stands in would move.
      if (hadFailed) this.#field?.setProblem(undefined);
      this.#show(options);
    } catch {
      if (asked !== this.#asked) return;
      this.#isLoading = false;
      // Left open to the keyboard: coming back to the field tries again.
      this.#failed = true;
      this.control.disabled = false;
      this.#field?.setProblem(() => t("field.options.failed"));
    }
  }

  #show(options: readonly Option[]): void {
    const { fits = () => true, unfit } = this.#choice;
    this.#options = options;
    const fitting = options.filter(fits);
    const known = fitting.some((option) => option.id === this.#wanted);
    fillSelect(
      this.control,
      [
        { value: "", label: () => t("field.choose") },
        ...options.map(({ id, name = id, description }) => ({
          value: id,
          label: () => serviceText("option", id, typeof description === "string" ? `${name} (${rangeText(description)})` : name),
        })),
      ],
      known ? this.#wanted : "",
    );
    for (const option of this.control.options) option.disabled = option.value !== "" && !fitting.some(({ id }) => id === option.value);
    this.control.disabled = options.length === 0;
    const isUnfit = options.length > 0 && fitting.length === 0;
    if (isUnfit || this.#isUnfit) this.#field?.setProblem(isUnfit ? unfit : undefined);
    this.#isUnfit = isUnfit;
    if (known) {
      this.#wanted = "";
      this.control.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
}
