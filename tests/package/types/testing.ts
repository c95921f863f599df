// Everything here must compile.

import { createRemitKit, type CardForm, type RemitKit } from "remitkit";
import * as testing from "remitkit/testing";
import type { CardFrameStep, FormLike, PageLike, SandboxAddresses } from "remitkit/testing";
import { exactly } from "./exactly.js";

const { fakeCardForm, fakeCardFrame, fakeRemitKit, fillCardForm, startSandbox } = testing;
const { triggers, withTrigger } = testing;

const sandbox = await startSandbox({ seed: 7n, db: new URL("file:///shop.db"), port: undefined });
const { baseUrl, cardUrl } = sandbox;
export const remit: RemitKit = await createRemitKit({ baseUrl, cardUrl, token: () => sandbox.token() });
exactly<Date>()(await sandbox.clock.advance(90_000));
exactly<Date>()(await sandbox.clock.set("2026-01-31T09:00:00Z"));
exactly<Date>()(await sandbox.clock.freeze());
await sandbox.restore(await sandbox.snapshot());
await sandbox.failTransfer("id", { reason: "ACCOUNT_CLOSED" });
const twice = { statuses: ["Complete"], times: 2, letterCase: "upper" } as const;
const [delivery] = await sandbox.webhooks.deliver("id", twice);
exactly<number | null | undefined>()(delivery?.status);
exactly<boolean | undefined>()((await sandbox.transfers())[0]?.held);
const webhook = { url: new URL("http://127.0.0.1:1"), key: "k", automatic: false };
const own: testing.SandboxConfig = {
  currencies: [
    { iso3Code: "PYG", name: "G", symbol: "₲", decimalPlaces: 0, iso4217Code: 600, microsPerDollar: 1 },
  ],
  cards: [{ number: "4242424242424242", result: "fail", code: "CardNotSupported" }],
};
await startSandbox({ config: own });
await startSandbox({ config: new URL("file:///service.json") });
await sandbox.addCorridors(own);
await startSandbox({ now: new Date(), frozen: true, webhook, listen: "0.0.0.0", hosts: ["a"] });
const late = { kind: "late", path: "*", delayMilliseconds: 5 } as const;
await sandbox.faults.add({ kind: "drop", path: "/v1/transfers" }, late);
const addresses: SandboxAddresses = sandbox.toJSON();
const again = testing.connectSandbox(addresses);
const [first] = await again.requests({ after: 2 });
export const codes: readonly string[] | undefined = first?.codes;
await sandbox[Symbol.asyncDispose]();

// The constants are as precise as the tables.
exactly<990030>()(triggers.QuoteAmountChanged.amount);
exactly<"CardNotSupported">()(testing.testCards.prepaid.code);
const request = { amount: 5, recipientId: "r" };
exactly<{ amount: number; recipientId: string }>()(withTrigger(request, triggers.RecipientNotFound));

const steps: CardFrameStep[] = [
  "CARD_VALIDATION_START",
  { event: "CARD_VALIDATION_STOP_SUCCESS", from: "inner-frame", delayMs: 5 },
  { message: { any: "thing" } },
];
const frame = await fakeCardFrame({ script: steps, sandbox });
frame.play(({ opening }) => (opening === 1 ? steps : []), { loading: "never" });
export const opened: string | undefined = frame.opened[0]?.parameters.lng;

const outcome = { confirmationNumber: "1" };
const { attempt, settle } = testing.fakeTransferAttempt({ amount: 5n, state: "SENT", outcome });
settle(() => Promise.resolve({ recovered: true }));
exactly<boolean>()((await attempt.resume()).recovered);

const fake = await fakeCardForm({ events: ["READY", { type: "LOAD_FAILED", reason: "offline" }] });
await fake.emit("CARD_VALIDATION_START", { type: "CARD_VALIDATION_STOP_SUCCESS", cardId: null });
const form: CardForm = fake.form;
const kit = fakeRemitKit({ pendingTransfers: async () => [attempt], cardForm: async () => form });
export const faked: RemitKit = kit.remit;

// Playwright's objects, as far as they matter.
declare const locator: {
  fill(value: string, options?: { force?: boolean }): Promise<void>;
  click(): Promise<void>;
};
declare const page: {
  locator(selector: string, options?: object): typeof locator;
  frameLocator(selector: string): { locator(selector: string | object): typeof locator };
  mainFrame(): object;
  title(): Promise<string>;
};
const asPage: PageLike = page;
const asForm: FormLike = page.frameLocator("iframe");
await fillCardForm(asPage, { card: testing.testCards.success, verify: false });
await fillCardForm(asForm, { card: "4111111111111111" });
await testing.expectFaultsUsed(again, { timeoutMs: 5 });
const transfers = await testing.expectTransfers(again, { count: 1, senderId: "s" }, { quietMs: 5 });
export const confirmation: string | undefined = transfers[0]?.confirmationNumber;

export const teardown: () => Promise<void> = await testing.sandboxGlobalSetup({ seed: 1 })({ provide() {} });
type Use = (sandbox: Awaited<ReturnType<typeof startSandbox>>) => Promise<void>;
export const fixture: (fixtures: {}, use: Use) => Promise<void> = testing.sandboxFixture();
