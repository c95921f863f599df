// Everything here must compile, without React's types.

import type { FieldForm, FieldProblem, FieldValue, FieldValues } from "remitkit";
import { createFieldControls } from "remitkit/fields";
import type { FieldControl, FieldControls } from "remitkit/fields";
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
