// The part for fields, transfers and the Push-to-Card flow.

export { FieldForm } from "./field-form.js";
export { localJournal } from "../core/local-journal.js";
export { Lock, releaseLocks } from "../core/lock.js";
export { matches } from "../core/pattern.js";
export { PushToCardRun } from "./push-to-card-run.js";
export { TransferAttempt } from "./transfer-attempt.js";
export { bindFirstLoad } from "./transfer-imports.js";
