export { fakeCardFrame } from "./testing/card-frame.js";
export { expectFaultsUsed } from "./testing/expect-faults-used.js";
export { expectTransfers } from "./testing/expect-transfers.js";
export { fakeCardForm } from "./testing/fake-card-form.js";
export { fakeFieldForm } from "./testing/fake-field-form.js";
export { fakeRemitKit } from "./testing/fake-remit-kit.js";
export { fakeTransferAttempt } from "./testing/fake-transfer-attempt.js";
export { fillCardForm } from "./testing/fill-card-form.js";
export { sandboxFixture, sandboxGlobalSetup } from "./testing/runners.js";
export { connectSandbox } from "./testing/sandbox.js";
export { startSandbox } from "./testing/start-sandbox.js";
export {
  cardSessionBehaviours, failingTransferAmount, sandboxClients, sandboxSenders, testCards, triggers,
} from "./testing/triggers.js";
export { withTrigger } from "./testing/with-trigger.js";
