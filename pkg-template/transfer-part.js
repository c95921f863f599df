// The part for fields, transfers and the Push-to-Card flow.

export { FieldFormHandle } from "./field-form-handle.js";
export { FieldForm } from "./field-form.js";
export { openJournal } from "./journals.js";
export { matches } from "./pattern.js";
export { PushToCardRun } from "./push-to-card-run.js";
export { TransferAttempt } from "./transfer-attempt.js";
export { take } from "./transfer-imports.js";
