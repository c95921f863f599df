import { failingTransferAmount, type SandboxFault } from "remitkit/testing";
import type { Caller } from "../kits";
import { QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Run, type Scenario } from "./scenario";

type Kind = SandboxFault["kind"];
type Call = keyof typeof CALLS;
/** Who calls, if not the customer; when the page aborts the call; and what is armed besides. */
type Variant = { as?: Caller; abortMs?: number; besides?: SandboxFault };
type Fault = Omit<SandboxFault, "kind" | "path">;
type FaultCase = [call: keyof typeof PATHS, label: string, fault: Fault, expects?: string, variant?: Variant];

/** Prepare a call each, and return what makes it: a fault or a jump of the clock comes between. */
const CALLS = {
  quote: async ({ remit, signal }) => async () => void (await remit.quote(QUOTE, { signal })),
  transfer: async ({ remit, fixtures, sandbox, trace }) => {
    const request = await fixtures.transfer(remit);
    return async () => {
      const facts = transferFacts(await remit.transfer(request));
      const transfers = await sandbox.transfers();
      const recorded = transfers.filter((one) => one["quoteHistoryId"] === request.quoteHistoryId).length;
      trace.action("recorded", { count: recorded });
      return { ...facts, recorded };
    };
  },
  secondQuote: async ({ remit }) => {
    await remit.quote(QUOTE);
    return async () => void (await remit.quote(QUOTE));
  },
  cardSession: async ({ remit }) => {
    const { id } = await remit.createCardSession();
    return async () => ({ status: (await remit.getCardSession(id)).status });
  },
  status: (bench) => statusLater(bench, QUOTE.amount),
  failedStatus: (bench) => statusLater(bench, failingTransferAmount),
} satisfies Record<string, (bench: Bench) => Promise<() => Promise<Facts | void>>>;

const PATHS = {
  quote: { method: "GET", path: "/v1/quote" },
  transfer: { method: "POST", path: "/v1/transfers" },
};
/** The number of attempts of a read. */
const ALWAYS = { count: 3 };
/** A browser repeats a request by itself if a connection that it reuses closes: the first loss is unseen. */
const LOST = { count: 2 };
/** Longer than anybody waits for it. */
const NEVER = { delayMilliseconds: 5_000 };
const AFTER: Fault = { when: "after" };
const UNREADABLE: SandboxFault = { kind: "status", path: "/v1/transfers/*", count: 1_000 };

/** The kinds of faults, with the SDK's results. The compiler demands every kind of the sandbox's. */
const FAULTS: Record<Kind, Record<string, FaultCase>> = {
  latency: {
    once: ["quote", "A slow answer", { delayMilliseconds: 600 }],
    timeout: ["quote", "No answer in time, three times", { ...NEVER, ...ALWAYS }, "Timeout", { as: "impatient" }],
    aborted: ["quote", "The page gives up while waiting", NEVER, "Aborted", { abortMs: 300 }],
    during: ["transfer", "A transfer takes its time", { when: "during", delayMilliseconds: 600 }],
  },
  status: {
    once: ["quote", "503 once", {}],
    always: ["quote", "503 each time", ALWAYS, "ServiceUnavailable"],
    token: ["quote", "401 once: the token is renewed", { status: 401 }],
    unauthorized: ["quote", "401 each time", { status: 401, ...ALWAYS }, "Unauthorized"],
    forbidden: ["quote", "403", { status: 403 }, "AccessDenied"],
    retryAfter: ["quote", "429 once, with Retry-After", { status: 429, retryAfterSeconds: 1 }],
    tooMany: ["quote", "429 each time", { status: 429, ...ALWAYS }, "TooManyRequests"],
    after: ["transfer", "503 after a transfer was made", AFTER],
  },
  drop: {
    once: ["quote", "The connection closes once", {}],
    always: ["quote", "The connection closes each time", { count: 9 }, "NetworkFailure"],
    after: ["transfer", "A transfer is made, its answer lost", { ...AFTER, ...LOST }],
    commit: ["transfer", "A transfer is undone at the commit", { when: "commit" }],
    unsettled: [
      "transfer", "A transfer’s answer is lost and its outcome stays unknown (half a minute)",
      AFTER, "OutcomeUnknown", { besides: UNREADABLE },
    ],
  },
  truncate: {
    once: ["quote", "The answer breaks off", {}],
    after: ["transfer", "A transfer is made, its answer breaks off", AFTER],
  },
  nonJson: {
    always: ["quote", "A gateway’s page each time", ALWAYS, "ServiceUnavailable"],
    unreadable: ["quote", "A page with status 200 each time", { status: 200, ...ALWAYS }, "UnreadableReply"],
  },
  duplicate: { transfer: ["transfer", "A transfer is delivered twice", {}] },
  late: { transfer: ["transfer", "A transfer is delivered late", { delayMilliseconds: 300 }] },
  slow: { once: ["quote", "The answer comes in pieces", { delayMilliseconds: 600 }] },
};

/** Longer than a quote is held, in minutes. */
export const QUOTE_EXPIRY = 16;
const DAY = 1_440;
const JUMPS: Record<string, [call: Call, label: string, minutes: number, expects?: string]> = {
  quote: ["transfer", "A quote expires before its transfer", QUOTE_EXPIRY, "QuoteAmountChanged"],
  token: ["secondQuote", "A token expires and is renewed", DAY],
  session: ["cardSession", "A card session expires", DAY],
  complete: ["status", "A week later a transfer is complete", 7 * DAY],
  failed: ["failedStatus", "A week later a transfer has failed", 7 * DAY],
};

export function faultScenarios(): Scenario[] {
  return (Object.keys(FAULTS) as Kind[]).flatMap((kind) =>
    Object.entries(FAULTS[kind]).map(([name, [call, label, own, expects = DONE, variant]]) => {
      const fault = { kind, ...PATHS[call], ...own };
      const about = `Call ${call} while ${JSON.stringify(fault)} is armed.`;
      const run = callDuring(call, fault, variant);
      return { id: `fault ${kind} ${name}`, group: "Faults", label, about, expects, run };
    }),
  );
}

export function clockScenarios(): Scenario[] {
  return Object.entries(JUMPS).map(([name, [call, label, minutes, expects = DONE]]) => {
    const about =
      `The clock moves forward by ${minutes} minutes between two calls. Only a reset moves it back.`;
    const run: Run = async (bench) => {
      const make = await CALLS[call]({ ...bench, remit: await bench.kits.of("traveller") });
      await bench.sandbox.clock.advance(minutes * 60_000);
      bench.trace.action("clock", { minutes });
      return make();
    };
    return { id: `clock ${name}`, group: "Time passes", label, about, expects, run };
  });
}

function callDuring(call: Call, fault: SandboxFault, { as, abortMs, besides }: Variant = {}): Run {
  return async (bench) => {
    const { faults } = bench.sandbox;
    const remit = await bench.kits.of(as);
    const signal = abortMs ? AbortSignal.any([bench.signal, AbortSignal.timeout(abortMs)]) : bench.signal;
    const make = await CALLS[call]({ ...bench, remit, signal });
    await faults.clear();
    await faults.add(fault, ...(besides ? [besides] : []));
    bench.trace.action("fault", { ...fault });
    return make().finally(() => faults.clear());
  };
}

async function statusLater({ remit, fixtures }: Bench, amount: number) {
  const { transferId } = await remit.transfer(await fixtures.transfer(remit, { amount }));
  return async () => ({ status: (await remit.getTransfer(transferId)).status ?? "" });
}
