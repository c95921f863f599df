import type { FieldValues } from "remitkit";
import { defineRemitFields, type RemitFieldsElement } from "remitkit/fields";
import { explain } from "../../errors";
import { wt } from "../../messages/workbench";
import { kit } from "../../remit";
import { button } from "../../ui/button";
import { h, on, setText } from "../../ui/dom";
import { errorNotice, retry } from "../../ui/notice";
import { siteFoot } from "../../ui/site";
import { benchHead } from "../bench_head";
import { CodeTabs } from "../code_tabs";
import { attributesOf, writeAddress, type Choice } from "./choice";
import { Chooser } from "./chooser";
import { fieldCodes } from "./codes";
import { exampleOf } from "./example";

const ATTRIBUTES = ["kind", "country", "currency", "method", "recipient-type", "sender-type"];

/** The page that shows the fields of any corridor: as a form, as data and as code. */
export class FieldExplorer {
  readonly #chooser = new Chooser((choice) => this.#choose(choice));
  readonly #fields: RemitFieldsElement;
  readonly #count = h("p.muted", { role: "status" });
  readonly #verdict = h("p.verdict", { role: "status", hidden: true });
  readonly #data = new CodeTabs(() => wt("fields.output"));
  readonly #code = new CodeTabs(() => wt("fields.code"));
  readonly #parts: HTMLElement;
  #choice: Choice | undefined;

  constructor(root: HTMLElement) {
    document.documentElement.toggleAttribute("data-looking", true);
    defineRemitFields();
    this.#fields = h("remit-fields", { required: true });
    this.#fields.remit = kit();
    this.#fields.addEventListener("ready", () => this.#showForm());
    this.#fields.addEventListener("fieldchange", () => this.#showData());
    const check = h("button.button.primary", { type: "submit" }, () => wt("fields.check"));
    const form = h("form.stack", { novalidate: true }, this.#fields, h("div.spread", check, this.#verdict));
    on(form, {
      submit: (event) => {
        event.preventDefault();
        this.#showVerdict(this.#fields.check());
      },
    });
    const head = h("div.bench-head.stack.tight", [
      h("h1", () => wt("fields.title")),
      h("p.muted", () => wt("fields.about")),
    ]);
    const tools = h("div.tool-buttons", [
      button(() => wt("fields.example"), () => void this.#fillIn(), "quiet"),
      button(() => wt("fields.clear"), () => this.#fill({}), "quiet"),
    ]);
    this.#parts = h("div.explorer", [
      h("div.bench-part.explorer-wide", this.#chooser.element),
      h("section.bench-part", { "aria-labelledby": "form-title" }, [
        h("div.spread", h("h2", { id: "form-title" }, () => wt("fields.form")), tools),
        this.#count,
        form,
      ]),
      h("div", this.#data.element),
      h("div.explorer-wide", this.#code.element),
    ]);
    const main = h("main", { id: "main", class: "bench", tabindex: -1 }, head, this.#parts);
    root.append(benchHead("fields"), main, siteFoot("./", () => wt("shop")));
  }

  async start(): Promise<void> {
    try {
      const remit = await kit();
      this.#chooser.offer(await remit.corridors());
    } catch (error) {
      this.#parts.replaceChildren(errorNotice(error, [retry(() => location.reload())]));
    }
    document.documentElement.removeAttribute("data-looking");
  }

  #choose(choice: Choice): void {
    this.#choice = choice;
    writeAddress(choice);
    this.#verdict.hidden = true;
    // The country is also that of a sender's phone number.
    const own = { country: choice.route.country.iso3Code, ...attributesOf(choice) };
    const attributes = new Map(Object.entries(own));
    // What was chosen for another country is no choice here.
    this.#fields.values = {};
    for (const name of ATTRIBUTES) this.#fields.setAttribute(name, attributes.get(name) ?? "");
    // The element still has the form of the last choice.
    queueMicrotask(() => this.#showData());
    this.#showCode(false);
  }

  #showForm(): void {
    const { definition } = this.#fields;
    if (!definition) return;
    const fields = definition.fieldSets.flatMap((set) => set.fields);
    const required = fields.filter(({ fieldId }) => definition.isRequired(fieldId, {}));
    const all = `${fields.length} ${fields.length === 1 ? "field" : "fields"}`;
    const count = { fields: all, required: required.length };
    const card = definition.requiresCard ? ` ${wt("fields.card")}` : "";
    setText(this.#count, `${wt("fields.count", count)}${card}`);
    this.#showData();
    this.#showCode(definition.requiresCard);
  }

  #showData(): void {
    const { definition, problems } = this.#fields;
    this.#verdict.hidden = true;
    this.#data.show({
      "toFields()": json(() => definition && this.#fields.toFields()),
      problems: json(() => definition && problems),
      fieldSets: json(() => definition?.fieldSets),
    });
  }

  #showCode(requiresCard: boolean): void {
    if (this.#choice) this.#code.show(fieldCodes(this.#choice, requiresCard));
  }

  #showVerdict(isValid: boolean): void {
    const { length: count } = isValid ? this.#fields.toFields() : this.#fields.problems;
    this.#verdict.hidden = false;
    this.#verdict.toggleAttribute("data-wrong", !isValid);
    setText(this.#verdict, wt(isValid ? "fields.valid" : "fields.invalid", { count }));
  }

  #fill(values: FieldValues): void {
    this.#fields.values = values;
    this.#showData();
  }

  async #fillIn(): Promise<void> {
    const { definition, country } = this.#fields;
    if (!definition) return;
    try {
      const values = await exampleOf(definition, country);
      if (this.#fields.definition === definition) this.#fill(values);
    } catch (error) {
      setText(this.#count, explain(error).text);
    }
  }
}

function json(read: () => unknown): string {
  try {
    return JSON.stringify(read(), undefined, 2) ?? "…";
  } catch (error) {
    // Of a value that cannot be sent at all.
    return String(error);
  }
}
