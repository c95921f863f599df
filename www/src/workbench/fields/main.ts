// The page that shows the fields of any corridor: as a form, as data and as code.

import type { FieldValues } from "remitkit";
import { defineRemitFields } from "remitkit/fields";
import { explain } from "../../errors";
import { useEnglish } from "../../messages";
import { kit } from "../../remit";
import { button } from "../../ui/button";
import { h, on, setText } from "../../ui/dom";
import { errorNotice, retry } from "../../ui/notice";
import { codeBlock } from "../code_block";
import { setLooking, showPage } from "../page";
import { chooser, type Choice } from "./chooser";
import { fieldCodes } from "./codes";
import { exampleOf } from "./example";

const ATTRIBUTES = ["kind", "country", "currency", "method", "recipient-type", "sender-type"];
const ABOUT =
  "What the service asks for, in every corridor: a live form by <remit-fields>, what your page gets of " +
  "it, and the code. What you enter stays on this page.";

useEnglish();
setLooking(true);
defineRemitFields();
const element = h("remit-fields", { required: true });
const count = h("p.muted", { role: "status" });
const verdict = h("p.verdict", { role: "status", hidden: true });
const data = codeBlock("As data", { "toFields()": "", problems: "", fieldSets: "" });
const code = codeBlock("As code", { HTML: "", React: "", JavaScript: "" });
const tools = h("div.row", [
  button(() => "Fill in an example", () => void fillIn(), "quiet"),
  button(() => "Clear", () => fill({}), "quiet"),
]);
const bottom = h("div.spread", h("button.button.primary", { type: "submit" }, "Check"), verdict);
const choice = h("div.bench-part.explorer-wide");
const parts = h("div.explorer", [
  choice,
  h("section.bench-part", { "aria-labelledby": "form-title" }, [
    h("div.spread", h("h2", { id: "form-title" }, "As a form"), tools),
    count,
    on(h("form.stack", { novalidate: true }, element, bottom), { submit: check }),
  ]),
  h("div", data.element),
  h("div.explorer-wide", code.element),
]);
element.remit = kit();
element.addEventListener("ready", showForm);
element.addEventListener("fieldchange", showData);
showPage("fields", [
  h("div.bench-head.stack.tight", h("h1", "Field explorer"), h("p.muted", ABOUT)),
  parts,
]);
try {
  choice.append(chooser(await (await kit()).corridors(), choose));
} catch (error) {
  parts.replaceChildren(errorNotice(error, [retry(() => location.reload())]));
}
setLooking(false);

function choose({ kind, country, currency, method, type }: Choice): void {
  verdict.hidden = true;
  const corridor = kind === "transfer" ? {} : { "recipient-type": type };
  const own = kind === "sender" ? { "sender-type": type } : { currency, method, ...corridor };
  // The country is also that of a sender's phone number.
  const attributes = new Map(Object.entries<string>({ kind, country, ...own }));
  // What was chosen for another country is no choice here.
  element.values = {};
  for (const name of ATTRIBUTES) element.setAttribute(name, attributes.get(name) ?? "");
  // The element still has the form of the last choice.
  queueMicrotask(showData);
  showCode(false);
}

function showForm(): void {
  const { definition } = element;
  if (!definition) return;
  const fields = definition.fieldSets.flatMap((set) => set.fields);
  const required = fields.filter(({ fieldId }) => definition.isRequired(fieldId, {}));
  const all = `${fields.length} ${fields.length === 1 ? "field" : "fields"}`;
  const card = definition.requiresCard ? " The hosted card form fills in CARD_ID." : "";
  setText(count, `${all}, ${required.length} required at first.${card}`);
  showData();
  showCode(definition.requiresCard);
}

function showData(): void {
  const { definition, problems } = element;
  verdict.hidden = true;
  data.show({
    "toFields()": json(() => definition && element.toFields()),
    problems: json(() => definition && problems),
    fieldSets: json(() => definition?.fieldSets),
  });
}

function showCode(requiresCard: boolean): void {
  // A page that creates senders knows their country.
  const unused = element.kind === "sender" ? "country" : "";
  const given = [...element.attributes].filter(({ name, value }) => value !== "" && name !== unused);
  const attributes = given.map(({ name, value }) => `${name}="${value}"`);
  code.show(fieldCodes(element, attributes, requiresCard));
}

function check(event: Event): void {
  event.preventDefault();
  const isValid = element.check();
  const { length } = isValid ? element.toFields() : element.problems;
  verdict.hidden = false;
  verdict.toggleAttribute("data-wrong", !isValid);
  setText(verdict, `${isValid ? "Ready to be sent. Values" : "Not ready to be sent. Problems"}: ${length}`);
}

function fill(values: FieldValues): void {
  element.values = values;
  showData();
}

async function fillIn(): Promise<void> {
  const { definition, country } = element;
  if (!definition) return;
  try {
    const values = await exampleOf(definition, country);
    if (element.definition === definition) fill(values);
  } catch (error) {
    setText(count, explain(error).text);
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
