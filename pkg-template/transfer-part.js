// The part for fields, transfers and the Push-to-Card flow.

export { FieldForm } from "./field-form.js";
export { localJournal } from "./local-journal.js";
export { Lock, releaseLocks } from "./lock.js";
export { matches } from "./pattern.js";
export { PushToCardRun } from "./push-to-card-run.js";
export { TransferAttempt } from "./transfer-attempt.js";
export { bindFirstLoad } from "./transfer-imports.js";
