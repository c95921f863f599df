// What fields, transfers and the Push-to-Card flow need.

export { FieldFormHandle } from "./field-form-handle.js";
export { FieldForm } from "./field-form.js";
export { openJournal } from "./journals.js";
export { matches } from "./pattern.js";
export { PushToCardFlow } from "./push-to-card-flow.js";
export { TransferAttempt } from "./transfer-attempt.js";
export { take } from "./transfer-imports.js";
