// Everything here must compile, without React's types.

import type { Corridor, FieldForm, FieldProblem, FieldValue, FieldValues } from "remitkit";
import { createRemitKit } from "remitkit";
import { createFieldControls, defineRemitAmount, defineRemitFields } from "remitkit/fields";
import type { FieldControl, FieldControls, RemitAmountElement, RemitFieldsElement } from "remitkit/fields";
import { exactly } from "./exactly.js";

declare const form: FieldForm;

const controls = createFieldControls(form, { country: "MEX", values: form.valuesOf({}), idPrefix: "a" });
exactly<FieldControls>()(controls);
const [fieldId = ""] = controls.fieldIds;
exactly<FieldControl>()(controls.get(fieldId));
const [row, label, control] = (["div", "label", "select"] as const).map((name) => document.createElement(name));
controls.bind(fieldId, { row, label: label as HTMLLabelElement, control: control as HTMLSelectElement });
controls.setValue("PHONE", { number: "1", countryIso3Code: "MEX", countryPhoneCode: "52" });
exactly<FieldValues>()(controls.values);
exactly<FieldProblem[]>()(controls.check());
exactly<FieldValue[]>()(controls.toFields());
const stop = controls.onChange(() => controls.touch(fieldId));
stop();
controls.destroy();

defineRemitFields();
const element = document.createElement("remit-fields");
exactly<RemitFieldsElement>()(element);
element.remit = createRemitKit({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" });
Object.assign(element, { kind: "recipient", country: "MEX" });
element.query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", recipientType: "BUSINESS" };
element.initial = (form) => form.valuesOf({ firstName: "Ana" });
element.masked = { ID_NUMBER: "**** 1234" };
element.messages = { fields: { firstName: "Given name" }, texts: { choose: "Pick" } };
element.options = (fieldId, choices) => choices.filter(({ id }) => id !== fieldId);
element.theme = { primary: "#0a7" };
element.addEventListener("fieldchange", function ({ detail }) {
  exactly<RemitFieldsElement>()(this);
  exactly<string>()(detail.fieldId);
});
element.addEventListener("optionsfailed", ({ detail }) => detail.error.userMessage.length);
element.addEventListener("keydown", (event) => exactly<KeyboardEvent>()(event));
if (!element.show(new RangeError("another")) && element.check()) exactly<FieldValue[]>()(element.toFields());
element.focus("CITY");
exactly<string>()(element.valueText("CITY"));
exactly<HTMLFormElement | null>()(element.form);

defineRemitAmount();
const amount = document.createElement("remit-amount");
exactly<RemitAmountElement>()(amount);
amount.limits = { min: 100, max: 5_000_000n };
amount.messages = { send: "You pay", CASH_PICKUP: "At a counter" };
amount.compare = true;
amount.limits = (method) => (method === "CASH_PICKUP" ? { max: 50_000 } : undefined);
amount.addEventListener("methodchange", ({ detail }) => detail.method.length);
amount.corridor = {} as Corridor;
amount.addEventListener("quote", ({ detail }) => detail.previous?.quoteHistoryId);
amount.addEventListener("expired", function () {
  exactly<RemitAmountElement>()(this);
});
exactly<string | undefined>()(amount.request?.quoteHistoryId);
exactly<number | undefined>()(amount.secondsLeft);
