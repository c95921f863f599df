import { createRemitKit, type CardForm, type RemitKit } from "remitkit";
import {
  cardSessionBehaviours,
  connectSandbox,
  expectTransfers,
  failingTransferAmount,
  fakeCardForm,
  fakeCardFrame,
  fakeFieldForm,
  fakeRemitKit,
  fakeTransferAttempt,
  fillCardForm,
  sandboxFixture,
  sandboxGlobalSetup,
  startSandbox,
  testCards,
  triggers,
  withTrigger,
  type CardFrameStep,
  type CardSessionBehaviour,
  type FormLike,
  type PageLike,
  type SandboxAddresses,
} from "remitkit/testing";

const sandbox = await startSandbox({ seed: 7n, db: new URL("file:///shop.db"), port: undefined });
const remit: RemitKit = await createRemitKit({
  baseUrl: sandbox.baseUrl,
  cardUrl: sandbox.cardUrl,
  token: () => sandbox.token(),
});
const now: Date = await sandbox.clock.advance(90_000);
await sandbox.faults.add({ kind: "drop", path: "/v1/transfers" }, { kind: "late", path: "*", delayMilliseconds: 5 });
const behaviours: readonly CardSessionBehaviour[] = cardSessionBehaviours;
await sandbox.cardSessions.next(...behaviours, "silent");
const addresses: SandboxAddresses = sandbox.toJSON();
const again = connectSandbox(addresses);
const [first] = await again.requests({ after: 2 });
const codes: readonly string[] | undefined = first?.codes;
await sandbox[Symbol.asyncDispose]();

// The constants are as precise as the tables.
const amount: 990030 = triggers.QuoteAmountChanged.amount;
const status: 404 = triggers.TransferNotFound.status;
const prepaid: "CardNotSupported" = testCards.prepaid.code;
const failing: 990099 = failingTransferAmount;
const request = { amount: 5, recipientId: "r" };
const changed: { amount: number; recipientId: string } = withTrigger(request, triggers.RecipientNotFound);
withTrigger(request, triggers.InvalidSenderName.ways[0]);

const steps: CardFrameStep[] = [
  "CARD_VALIDATION_START",
  { event: "CARD_VALIDATION_STOP_SUCCESS", from: "inner-frame", delayMs: 5 },
  { message: { any: "thing" } },
  { until: "click" },
  { move: "other-origin" },
];
const frame = await fakeCardFrame({ script: steps, sandbox });
frame.play(({ opening }) => (opening === 1 ? steps : []), { loading: "never" });
const opened: string | undefined = frame.opened[0]?.parameters.lng;

const { attempt, settle } = fakeTransferAttempt({ amount: 5n, state: "SENT", outcome: { confirmationNumber: "1" } });
settle(() => Promise.resolve({ recovered: true }));
const made: boolean = (await attempt.resume()).recovered;
const { requiresCard } = fakeFieldForm(["NAME", { fieldId: "CARD_ID", isRequired: true }], { check: () => [] });
fakeRemitKit({ pendingTransfers: async () => [attempt] });

const fake = await fakeCardForm({ events: ["READY", { type: "LOAD_FAILED", reason: "offline" }] });
await fake.emit("CARD_VALIDATION_START", { type: "CARD_VALIDATION_STOP_SUCCESS", cardId: null });
const form: CardForm = fake.form;
const kit = fakeRemitKit({ senderId: async () => ({ senderId: "s" }), cardForm: async () => form });
const faked: RemitKit = kit.remit;

// Playwright's own objects, as far as they matter.
declare const locator: { fill(value: string, options?: { force?: boolean }): Promise<void>; click(): Promise<void> };
declare const page: {
  locator(selector: string, options?: object): typeof locator;
  frameLocator(selector: string): { locator(selector: string | object): typeof locator };
  mainFrame(): object;
  title(): Promise<string>;
};
const asPage: PageLike = page;
const asForm: FormLike = page.frameLocator("iframe");
await fillCardForm(page, { card: testCards.success, verify: false });
await fillCardForm(asForm, { card: "4111111111111111" });
const madeTransfers = await expectTransfers(again, { count: 1, senderId: "s" }, { quietMs: 5 });
const confirmation: string | undefined = madeTransfers[0]?.confirmationNumber;

const setup = sandboxGlobalSetup({ seed: 1 });
const teardown: () => Promise<void> = await setup({ provide() {} });
const fixture: (fixtures: {}, use: (sandbox: typeof started) => Promise<void>) => Promise<void> = sandboxFixture();
declare const started: Awaited<ReturnType<typeof startSandbox>>;

export { amount, asPage, changed, codes, confirmation, failing, faked, fixture, now, opened, prepaid, remit, status, teardown };
