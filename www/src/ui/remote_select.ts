import type { FieldDefinition, FieldForm, FieldValues } from "remitkit";
import { serviceText, t } from "../messages";
import { h, on, type LiveText } from "./dom";
import { fillSelect, type Field } from "./field";

/** An option as the service lists it; some carry more than the SDK's types promise. */
export interface Option {
  id: string;
  name?: string;
  description?: unknown;
}

export interface OptionFilter {
  accepts?: (option: Option) => boolean;
  /** Words the description of an option. */
  describe?: (description: string) => string;
  /** The problem to show if no option can be chosen. */
  noneAccepted?: LiveText;
}

/**
 * A select whose options are fetched, often for the choices in other fields (the cities of a state). It is
 * disabled until those choices are made, and fetches again when they change.
 */
export class RemoteSelect {
  readonly control = h("select", { disabled: true });
  readonly #fieldId: string;
  readonly #dependencies: string[];
  #options: readonly Option[] = [];
  #values: FieldValues = {};
  /** The values of the dependencies that the options are for. */
  #key: string | undefined;
  #field: Field | undefined;
  #hasFailed = false;
  #isLoading = false;
  #acceptsNone = false;

  /** `wanted` is chosen as soon as it is among the options. */
  constructor(
    private readonly form: FieldForm,
    { fieldId, optionsSource }: FieldDefinition,
    private wanted: string,
    private readonly filter: OptionFilter,
  ) {
    this.#fieldId = fieldId;
    this.#dependencies = [...(optionsSource ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, id = ""]) => id);
    fillSelect(this.control, [{ value: "", label: () => t("field.choose") }], "");
    on(this.control, { focus: () => this.#hasFailed && void this.#load() });
  }

  /** The chosen id; while the options are loading, the id that will be chosen. */
  get value(): string | undefined {
    return this.control.value || (this.#isLoading ? this.wanted : "") || undefined;
  }

  get chosen(): Option | undefined {
    return this.#options.find(({ id }) => id === this.control.value);
  }

  attach(field: Field): void {
    this.#field = field;
  }

  /** Brings the options in line with the form's values. Returns whether the choice was lost. */
  update(values: FieldValues): boolean {
    const needed = this.#dependencies.map((id) => values[id]);
    const key = needed.includes(undefined) ? undefined : JSON.stringify(needed);
    if (key === this.#key) return false;
    const isLost = this.control.value !== "";
    this.#key = key;
    this.#values = values;
    this.#isLoading = false;
    this.#show([]);
    if (key !== undefined) void this.#load();
    return isLost;
  }

  async #load(): Promise<void> {
    const key = this.#key;
    const hadFailed = this.#hasFailed;
    this.#hasFailed = false;
    this.#isLoading = true;
    const options = await this.form.options(this.#fieldId, this.#values).catch(() => undefined);
    if (key !== this.#key) return;
    this.#isLoading = false;
    if (options) {
      // Clear only our own problem.
      if (hadFailed) this.#field?.setProblem(undefined);
      this.#show(options);
      return;
    }
    // Stays enabled, so that returning to the field tries again.
    this.#hasFailed = true;
    this.control.disabled = false;
    this.#field?.setProblem(() => t("field.options.failed"));
  }

  #show(options: readonly Option[]): void {
    const { accepts = () => true, describe = String, noneAccepted } = this.filter;
    this.#options = options;
    const accepted = options.filter(accepts);
    const isKnown = accepted.some(({ id }) => id === this.wanted);
    const choices = options.map((option) => ({
      value: option.id,
      label: () => serviceText("option", option.id, optionName(option, describe)),
      disabled: !accepted.includes(option),
    }));
    const all = [{ value: "", label: () => t("field.choose") }, ...choices];
    fillSelect(this.control, all, isKnown ? this.wanted : "");
    this.control.disabled = options.length === 0;
    const acceptsNone = options.length > 0 && accepted.length === 0;
    if (acceptsNone || this.#acceptsNone) this.#field?.setProblem(acceptsNone ? noneAccepted : undefined);
    this.#acceptsNone = acceptsNone;
    if (!isKnown) return;
    this.wanted = "";
    this.control.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function optionName({ id, name = id, description }: Option, describe: (text: string) => string): string {
  return typeof description === "string" ? `${name} (${describe(description)})` : name;
}
