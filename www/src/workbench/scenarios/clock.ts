import { failingTransferAmount } from "remitkit/testing";
import { AMOUNT, QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Scenario } from "./scenario";

/** Prepares a jump of the clock, and returns the call that follows it. */
type Prepare = (bench: Bench) => Promise<() => Promise<Facts | void>>;
type Jump = [label: string, minutes: number, prepare: Prepare, expects?: string];

const DAY = 1_440;
const JUMPS: Record<string, Jump> = {
  quote: ["A quote expires before its transfer", 16, transferLater, "QuoteAmountChanged"],
  token: ["A token expires and is renewed", DAY, quoteTwice],
  session: ["A card session expires", DAY, sessionLater],
  complete: ["A week later a transfer is complete", 7 * DAY, (bench) => statusLater(bench, AMOUNT)],
  failed: ["A week later a transfer has failed", 7 * DAY, (bench) => statusLater(bench, failingTransferAmount)],
};

export function clockScenarios(): Scenario[] {
  return Object.entries(JUMPS).map(([name, [label, minutes, prepare, expects = DONE]]) => ({
    id: `clock ${name}`,
    group: "Time passes",
    label,
    about: `The clock moves forward by ${minutes} minutes between two calls. Only a reset moves it back.`,
    expects,
    run: async (bench) => {
      const after = await prepare({ ...bench, remit: await bench.kits.of("traveller") });
      await bench.sandbox.clock.advance(minutes * 60_000);
      bench.trace.action("clock", { minutes });
      return after();
    },
  }));
}

async function transferLater({ remit, fixtures }: Bench) {
  const request = await fixtures.transfer(remit);
  return async () => transferFacts(await remit.transfer(request));
}

async function quoteTwice({ remit }: Bench) {
  await remit.quote(QUOTE);
  return async () => void (await remit.quote(QUOTE));
}

async function sessionLater({ remit }: Bench) {
  const { id } = await remit.createCardSession();
  return async () => ({ status: (await remit.getCardSession(id)).status });
}

async function statusLater({ remit, fixtures }: Bench, amount: number) {
  const { transferId } = await remit.transfer(await fixtures.transfer(remit, amount));
  return async () => ({ status: (await remit.getTransfer(transferId)).status ?? "" });
}
