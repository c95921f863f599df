import type { FieldValues } from "remitkit";
import { defineRemitFields, type RemitFieldsElement } from "remitkit/fields";
import { explain } from "../../errors";
import { useEnglish } from "../../messages";
import { kit } from "../../remit";
import { button } from "../../ui/button";
import { h, on, setText } from "../../ui/dom";
import { errorNotice, retry } from "../../ui/notice";
import { CodeBlock } from "../code_block";
import { setLooking, showPage } from "../page";
import { Chooser, type Choice } from "./chooser";
import { fieldCodes } from "./codes";
import { exampleOf } from "./example";

const ATTRIBUTES = ["kind", "country", "currency", "method", "recipient-type", "sender-type"];
const DATA = { "toFields()": "", problems: "", fieldSets: "" };
const CODES = { HTML: "", React: "", JavaScript: "" };
const ABOUT =
  "What the service asks for, in every corridor: a live form by <remit-fields>, what your page gets of " +
  "it, and the code. What you enter stays on this page.";

/** The page that shows the fields of any corridor: as a form, as data and as code. */
class FieldExplorer {
  readonly #chooser = new Chooser((choice) => this.#choose(choice));
  readonly #fields: RemitFieldsElement;
  readonly #count = h("p.muted", { role: "status" });
  readonly #verdict = h("p.verdict", { role: "status", hidden: true });
  readonly #data = new CodeBlock("As data", DATA);
  readonly #code = new CodeBlock("As code", CODES);
  readonly #parts: HTMLElement;

  constructor() {
    setLooking(true);
    defineRemitFields();
    this.#fields = h("remit-fields", { required: true });
    this.#fields.remit = kit();
    this.#fields.addEventListener("ready", () => this.#showForm());
    this.#fields.addEventListener("fieldchange", () => this.#showData());
    const check = h("button.button.primary", { type: "submit" }, "Check");
    const form = h("form.stack", { novalidate: true }, this.#fields, h("div.spread", check, this.#verdict));
    on(form, {
      submit: (event) => {
        event.preventDefault();
        this.#showVerdict(this.#fields.check());
      },
    });
    const tools = h("div.row", [
      button(() => "Fill in an example", () => void this.#fillIn(), "quiet"),
      button(() => "Clear", () => this.#fill({}), "quiet"),
    ]);
    this.#parts = h("div.explorer", [
      h("div.bench-part.explorer-wide", this.#chooser.element),
      h("section.bench-part", { "aria-labelledby": "form-title" }, [
        h("div.spread", h("h2", { id: "form-title" }, "As a form"), tools),
        this.#count,
        form,
      ]),
      h("div", this.#data.element),
      h("div.explorer-wide", this.#code.element),
    ]);
    showPage("fields", [
      h("div.bench-head.stack.tight", h("h1", "Field explorer"), h("p.muted", ABOUT)),
      this.#parts,
    ]);
  }

  async start(): Promise<void> {
    try {
      const remit = await kit();
      this.#chooser.offer(await remit.corridors());
    } catch (error) {
      this.#parts.replaceChildren(errorNotice(error, [retry(() => location.reload())]));
    }
    setLooking(false);
  }

  #choose({ kind, country, currency, method, type }: Choice): void {
    this.#verdict.hidden = true;
    const corridor = kind === "transfer" ? {} : { "recipient-type": type };
    const own = kind === "sender" ? { "sender-type": type } : { currency, method, ...corridor };
    // The country is also that of a sender's phone number.
    const attributes = new Map(Object.entries<string>({ kind, country, ...own }));
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
    const card = definition.requiresCard ? " The hosted card form fills in CARD_ID." : "";
    setText(this.#count, `${all}, ${required.length} required at first.${card}`);
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
    // A page that creates senders knows their country.
    const unused = this.#fields.kind === "sender" ? "country" : "";
    const given = [...this.#fields.attributes].filter(({ name, value }) => value !== "" && name !== unused);
    const attributes = given.map(({ name, value }) => `${name}="${value}"`);
    this.#code.show(fieldCodes(this.#fields, attributes, requiresCard));
  }

  #showVerdict(isValid: boolean): void {
    const { length: count } = isValid ? this.#fields.toFields() : this.#fields.problems;
    this.#verdict.hidden = false;
    this.#verdict.toggleAttribute("data-wrong", !isValid);
    const verdict = isValid ? "Ready to be sent. Values" : "Not ready to be sent. Problems";
    setText(this.#verdict, `${verdict}: ${count}`);
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

useEnglish();
void new FieldExplorer().start();
