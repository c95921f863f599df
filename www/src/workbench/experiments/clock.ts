import { failingTransferAmount } from "remitkit/testing";
import { wt, type TextKey } from "../texts";
import type { Bench, Expectation, Experiment, Facts } from "./experiment";
import { AMOUNT, BANK, transferFacts } from "./ground";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

interface Jump {
  ms: number;
  expects: Expectation;
  /** What is done before the jump; gives what is done after it. */
  begin: (bench: Bench) => Promise<() => Promise<Facts>>;
}

/** What time does: quotes, tokens, card sessions and transfers go by the sandbox's clock. */
const JUMPS: Record<string, Jump> = {
  quote: {
    ms: 16 * MINUTE_MS,
    expects: { code: "QuoteAmountChanged" },
    begin: async ({ remit, ground }) => {
      const request = await ground.transfer(remit);
      return async () => transferFacts(await remit.transfer(request));
    },
  },
  token: {
    ms: DAY_MS,
    expects: { done: true },
    begin: async ({ remit }) => {
      const request = { ...BANK, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" as const, amount: AMOUNT };
      await remit.quote(request);
      return async () => {
        await remit.quote(request);
        return {};
      };
    },
  },
  session: {
    ms: DAY_MS,
    expects: { done: true },
    begin: async ({ remit }) => {
      const { id } = await remit.createCardSession();
      return async () => ({ status: (await remit.getCardSession(id)).status });
    },
  },
  complete: { ms: 7 * DAY_MS, expects: { done: true }, begin: (bench) => statusLater(bench, AMOUNT) },
  failed: { ms: 7 * DAY_MS, expects: { done: true }, begin: (bench) => statusLater(bench, failingTransferAmount) },
};

async function statusLater({ remit, ground }: Bench, amount: number): Promise<() => Promise<Facts>> {
  const { transferId } = await remit.transfer(await ground.transfer(remit, amount));
  return async () => ({ status: (await remit.getTransfer(transferId)).status ?? "" });
}

/** Every jump of the clock, with the call that shows what it did. */
export function clockExperiments(): Experiment[] {
  return Object.entries(JUMPS).map(([name, { ms, expects, begin }]) => ({
    id: `clock ${name}`,
    group: "clock",
    label: () => wt(`clock.${name}` as TextKey),
    about: () => wt("clock.about", { minutes: ms / MINUTE_MS }),
    expects,
    run: async (given) => {
      const bench = { ...given, remit: await given.kits.of("traveller") };
      const after = await begin(bench);
      await bench.sandbox.clock.advance(ms);
      bench.trace.action("clock", { minutes: ms / MINUTE_MS });
      return after();
    },
  }));
}
