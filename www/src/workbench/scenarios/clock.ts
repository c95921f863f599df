import { failingTransferAmount } from "remitkit/testing";
import { AMOUNT, QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Scenario } from "./scenario";

const DAY_MINUTES = 1_440;

interface Jump {
  label: string;
  minutes: number;
  expects?: string;
  /** Prepares the jump and returns the call that follows it. */
  prepare: (bench: Bench) => Promise<() => Promise<Facts | void>>;
}

const JUMPS: Record<string, Jump> = {
  quote: {
    label: "A quote expires before its transfer",
    minutes: 16,
    expects: "QuoteAmountChanged",
    prepare: async ({ remit, fixtures }) => {
      const request = await fixtures.transfer(remit);
      return async () => transferFacts(await remit.transfer(request));
    },
  },
  token: {
    label: "A token expires and is renewed",
    minutes: DAY_MINUTES,
    prepare: async ({ remit }) => {
      const quote = async () => void (await remit.quote(QUOTE));
      await quote();
      return quote;
    },
  },
  session: {
    label: "A card session expires",
    minutes: DAY_MINUTES,
    prepare: async ({ remit }) => {
      const { id } = await remit.createCardSession();
      return async () => ({ status: (await remit.getCardSession(id)).status });
    },
  },
  complete: aWeekLater("A week later a transfer is complete", AMOUNT),
  failed: aWeekLater("A week later a transfer has failed", failingTransferAmount),
};

function aWeekLater(label: string, amount: number): Jump {
  return {
    label,
    minutes: 7 * DAY_MINUTES,
    prepare: async ({ remit, fixtures }) => {
      const { transferId } = await remit.transfer(await fixtures.transfer(remit, amount));
      return async () => ({ status: (await remit.getTransfer(transferId)).status ?? "" });
    },
  };
}

export function clockScenarios(): Scenario[] {
  return Object.entries(JUMPS).map(([name, { label, minutes, expects = DONE, prepare }]) => ({
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
