import { serviceText, t } from "../messages";
import { loadOptions, type Option } from "../options";
import { h, on } from "./dom";
import { fillSelect, type Field } from "./field";

/**
 * A choice whose options the service lists elsewhere, often by what was chosen before (the cities of a
 * state). It is closed until those choices are made, and asks again when they change.
 */
export class SourcedSelect {
  readonly control = h("select", { disabled: true });
  readonly #source: string;
  #wanted: string;
  #path: string | undefined;
  #field: Field | undefined;
  #failed = false;

  constructor(source: string, wanted: string) {
    this.#source = source;
    this.#wanted = wanted;
    fillSelect(this.control, [{ value: "", label: () => t("field.choose") }], "");
    on(this.control, { focus: () => this.#failed && void this.#load() });
  }

  /** The ids of the fields that the options depend on. */
  get dependsOn(): string[] {
    return [...this.#source.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  }

  /** Where to say that the options could not be fetched. */
  attach(field: Field): void {
    this.#field = field;
  }

  /** Brings the options in line with what is chosen. True if the choice made here was lost by that. */
  update(chosen: (fieldId: string) => string | undefined): boolean {
    let complete = true;
    const path = this.#source.replace(/\{(\w+)\}/g, (_, fieldId: string) => {
      const value = chosen(fieldId);
      complete &&= value !== undefined;
      return encodeURIComponent(value ?? "");
    });
    const next = complete ? path : undefined;
    if (next === this.#path) return false;
    const lost = this.control.value !== "";
    this.#path = next;
    this.#show([]);
    if (next !== undefined) void this.#load();
    return lost;
  }

  async #load(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    this.#failed = false;
    try {
      const options = await loadOptions(path);
      if (path !== this.#path) return;
      this.#field?.setProblem(undefined);
      this.#show(options);
    } catch {
      if (path !== this.#path) return;
      // Left open to the keyboard: coming back to the field tries again.
      this.#failed = true;
      this.control.disabled = false;
      this.#field?.setProblem(() => t("field.options.failed"));
    }
  }

  #show(options: readonly Option[]): void {
    const known = options.some((option) => option.id === this.#wanted);
    fillSelect(
      this.control,
      [
        { value: "", label: () => t("field.choose") },
        ...options.map(({ id, name, description }) => ({
          value: id,
          label: () => serviceText("option", id, description ? `${name} (${description})` : name),
        })),
      ],
      known ? this.#wanted : "",
    );
    this.control.disabled = options.length === 0;
    if (known) {
      this.#wanted = "";
      this.control.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
}
