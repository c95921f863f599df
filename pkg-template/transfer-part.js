// What fields, transfers and the Push-to-Card flow need.

export { AskedForm } from "./asked-form.js";
export { FieldForm } from "./field-form.js";
export { PushToCardSteps } from "./push-to-card-steps.js";
export { TransferAttempt } from "./transfer-attempt.js";
