import { failingTransferAmount } from "remitkit/testing";
import { wt, type WorkbenchKey } from "../../messages/workbench";
import { AMOUNT, QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Scenario } from "./scenario";

const DAY_MINUTES = 1_440;

interface Jump {
  minutes: number;
  expects: string;
  /** Prepares the jump and returns the call that follows it. */
  prepare: (bench: Bench) => Promise<() => Promise<Facts>>;
}

const JUMPS: Record<string, Jump> = {
  quote: {
    minutes: 16,
    expects: "QuoteAmountChanged",
    prepare: async ({ remit, fixtures }) => {
      const request = await fixtures.transfer(remit);
      return async () => transferFacts(await remit.transfer(request));
    },
  },
  token: {
    minutes: DAY_MINUTES,
    expects: DONE,
    prepare: async ({ remit }) => {
      const quote = () => remit.quote(QUOTE).then(() => ({}));
      await quote();
      return quote;
    },
  },
  session: {
    minutes: DAY_MINUTES,
    expects: DONE,
    prepare: async ({ remit }) => {
      const { id } = await remit.createCardSession();
      return async () => ({ status: (await remit.getCardSession(id)).status });
    },
  },
  complete: { minutes: 7 * DAY_MINUTES, expects: DONE, prepare: (bench) => transferStatus(bench, AMOUNT) },
  failed: {
    minutes: 7 * DAY_MINUTES,
    expects: DONE,
    prepare: (bench) => transferStatus(bench, failingTransferAmount),
  },
};

async function transferStatus({ remit, fixtures }: Bench, amount: number): Promise<() => Promise<Facts>> {
  const { transferId } = await remit.transfer(await fixtures.transfer(remit, amount));
  return async () => ({ status: (await remit.getTransfer(transferId)).status ?? "" });
}

export function clockScenarios(): Scenario[] {
  return Object.entries(JUMPS).map(([name, { minutes, expects, prepare }]) => ({
    id: `clock ${name}`,
    group: "clock",
    label: () => wt(`clock.${name}` as WorkbenchKey),
    about: () => wt("clock.about", { minutes }),
    expects,
    run: async (bench) => {
      const after = await prepare({ ...bench, remit: await bench.kits.of("traveller") });
      await bench.sandbox.clock.advance(minutes * 60_000);
      bench.trace.action("clock", { minutes });
      return after();
    },
  }));
}
