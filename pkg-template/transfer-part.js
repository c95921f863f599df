// The part for fields, transfers and the Push-to-Card flow.

export { FieldForm } from "./field-form.js";
export { PushToCardRun } from "./push-to-card-run.js";
export { take } from "./transfer-imports.js";
