import type { SandboxFault } from "remitkit/testing";
import { QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Scenario } from "./scenario";

type Kind = SandboxFault["kind"];
type Fault = Omit<SandboxFault, "kind" | "path">;
/** A call that is made with a short timeout, aborted, or can't be reconciled. */
type Variant = "impatient" | "aborted" | "unsettled";
type Case = [call: "quote" | "transfer", label: string, fault: Fault, expects?: string, variant?: Variant];

/** The number of attempts of a read. */
const ALWAYS = { count: 3 };
/** A browser repeats a request by itself if a connection that it reuses closes: the first loss is unseen. */
const LOST = { count: 2 };
/** Longer than anybody waits for it. */
const NEVER = { delayMilliseconds: 5_000 };
const AFTER: Fault = { when: "after" };
const IMPATIENT_MS = 400;
const ABORT_MS = 300;

/** The kinds of faults, with the SDK's results. The compiler demands every kind of the sandbox's. */
const CASES: Record<Kind, Record<string, Case>> = {
  latency: {
    once: ["quote", "A slow answer", { delayMilliseconds: 600 }],
    timeout: ["quote", "No answer in time, three times", { ...NEVER, ...ALWAYS }, "Timeout", "impatient"],
    aborted: ["quote", "The page gives up while waiting", NEVER, "Aborted", "aborted"],
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
      AFTER, "OutcomeUnknown", "unsettled",
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

const TARGETS = {
  quote: { method: "GET", path: "/v1/quote" },
  transfer: { method: "POST", path: "/v1/transfers" },
};

export function faultScenarios(): Scenario[] {
  return (Object.keys(CASES) as Kind[]).flatMap((kind) =>
    Object.entries(CASES[kind]).map(([name, [call, label, own, expects = DONE, variant]]) => {
      const fault: SandboxFault = { kind, ...TARGETS[call], ...own };
      const about = `Call ${call} while ${JSON.stringify(fault)} is armed.`;
      const run = call === "quote" ? fetchQuote : sendTransfer;
      return {
        id: `fault ${kind} ${name}`,
        group: "Faults",
        label,
        about,
        expects,
        run: (bench: Bench) => run(bench, fault, variant).finally(() => bench.sandbox.faults.clear()),
      };
    }),
  );
}

async function arm({ sandbox, trace }: Bench, fault: SandboxFault): Promise<void> {
  const { kind, path, count = 1, when } = fault;
  await sandbox.faults.clear();
  await sandbox.faults.add(fault);
  trace.action("fault", { kind, path, count, ...(when ? { when } : {}) });
}

async function fetchQuote(bench: Bench, fault: SandboxFault, variant?: Variant): Promise<void> {
  const { remit, kits, signal } = bench;
  await arm(bench, fault);
  if (variant === "impatient") {
    const impatient = await kits.create(variant, { timeoutMs: IMPATIENT_MS });
    await impatient.quote(QUOTE, { signal }).finally(() => impatient.destroy());
  } else {
    const aborted = AbortSignal.any([signal, AbortSignal.timeout(ABORT_MS)]);
    await remit.quote(QUOTE, { signal: variant === "aborted" ? aborted : signal });
  }
}

async function sendTransfer(bench: Bench, fault: SandboxFault, variant?: Variant): Promise<Facts> {
  const { sandbox, trace, remit, fixtures } = bench;
  const request = await fixtures.transfer(remit);
  await arm(bench, fault);
  if (variant) await sandbox.faults.add({ kind: "status", path: "/v1/transfers/*", count: 1_000 });
  const facts = transferFacts(await remit.transfer(request));
  const transfers = await sandbox.transfers();
  const recorded = transfers.filter((one) => one["quoteHistoryId"] === request.quoteHistoryId).length;
  trace.action("recorded", { count: recorded });
  return { ...facts, recorded };
}
