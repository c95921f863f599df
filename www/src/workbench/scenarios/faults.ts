import type { SandboxFault } from "remitkit/testing";
import { wt, type WorkbenchKey } from "../../messages/workbench";
import { QUOTE, transferFacts } from "./fixtures";
import { DONE, type Bench, type Facts, type Scenario } from "./scenario";

type Kind = SandboxFault["kind"];
type Fault = Omit<SandboxFault, "kind" | "path">;

interface Case {
  call: "quote" | "transfer";
  fault: Fault;
  expects: string;
  variant?: Variant;
}

/** A call that is made with a short timeout, aborted, or can't be reconciled. */
type Variant = "impatient" | "aborted" | "unsettled";

/** The number of attempts of a read. */
const ALWAYS = 3;
/** A browser repeats a request by itself if a connection that it reuses closes, so the first loss is unseen. */
const LOST = 2;
const IMPATIENT_MS = 400;
const ABORT_MS = 300;

const quote = (fault: Fault, code?: string, variant?: Variant) => caseOf("quote", fault, code, variant);
const transfer = (fault: Fault, code?: string, variant?: Variant) => caseOf("transfer", fault, code, variant);

/** The kinds of faults, with the SDK's results. The compiler demands every kind of the sandbox's. */
const CASES: Record<Kind, Record<string, Case>> = {
  latency: {
    once: quote({ delayMilliseconds: 600 }),
    timeout: quote({ delayMilliseconds: 5_000, count: ALWAYS }, "Timeout", "impatient"),
    aborted: quote({ delayMilliseconds: 5_000 }, "Aborted", "aborted"),
    during: transfer({ when: "during", delayMilliseconds: 600 }),
  },
  status: {
    once: quote({}),
    always: quote({ count: ALWAYS }, "ServiceUnavailable"),
    token: quote({ status: 401 }),
    unauthorized: quote({ status: 401, count: ALWAYS }, "Unauthorized"),
    forbidden: quote({ status: 403 }, "AccessDenied"),
    retryAfter: quote({ status: 429, retryAfterSeconds: 1 }),
    tooMany: quote({ status: 429, count: ALWAYS }, "TooManyRequests"),
    after: transfer({ when: "after" }),
  },
  drop: {
    once: quote({}),
    always: quote({ count: 9 }, "NetworkFailure"),
    after: transfer({ when: "after", count: LOST }),
    commit: transfer({ when: "commit" }),
    unsettled: transfer({ when: "after" }, "OutcomeUnknown", "unsettled"),
  },
  truncate: { once: quote({}), after: transfer({ when: "after" }) },
  nonJson: {
    always: quote({ count: ALWAYS }, "ServiceUnavailable"),
    unreadable: quote({ status: 200, count: ALWAYS }, "UnreadableReply"),
  },
  duplicate: { transfer: transfer({}) },
  late: { transfer: transfer({ delayMilliseconds: 300 }) },
  slow: { once: quote({ delayMilliseconds: 600 }) },
};

const TARGETS = {
  quote: { method: "GET", path: "/v1/quote" },
  transfer: { method: "POST", path: "/v1/transfers" },
};

export function faultScenarios(): Scenario[] {
  return (Object.keys(CASES) as Kind[]).flatMap((kind) =>
    Object.entries(CASES[kind]).map(([name, { call, fault: own, expects, variant }]) => {
      const fault: SandboxFault = { kind, ...TARGETS[call], ...own };
      return {
        id: `fault ${kind} ${name}`,
        group: "faults",
        label: () => wt(`fault.${kind}.${name}` as WorkbenchKey),
        about: () => wt("fault.about", { fault: JSON.stringify(fault), operation: call }),
        expects,
        run: (bench: Bench) => runWithFault(bench, fault, call, variant),
      };
    }),
  );
}

async function runWithFault(bench: Bench, fault: SandboxFault, call: Case["call"], variant: Case["variant"]) {
  const { sandbox, trace, remit, fixtures } = bench;
  const request = call === "transfer" ? await fixtures.transfer(remit) : undefined;
  const { kind, path, count = 1, when } = fault;
  await sandbox.faults.clear();
  await sandbox.faults.add(fault);
  trace.action("fault", { kind, path, count, ...(when ? { when } : {}) });
  try {
    if (!request) return await fetchQuote(bench, variant);
    if (variant === "unsettled") {
      await sandbox.faults.add({ kind: "status", path: "/v1/transfers/*", count: 1_000 });
    }
    const facts = transferFacts(await remit.transfer(request));
    const transfers = await sandbox.transfers();
    const recorded = transfers.filter((one) => one["quoteHistoryId"] === request.quoteHistoryId).length;
    trace.action("recorded", { count: recorded });
    return { ...facts, recorded };
  } finally {
    await sandbox.faults.clear();
  }
}

async function fetchQuote({ remit, kits, signal }: Bench, variant: Case["variant"]): Promise<Facts> {
  if (variant === "impatient") {
    const impatient = await kits.create(variant, { timeoutMs: IMPATIENT_MS });
    await impatient.quote(QUOTE, { signal }).finally(() => impatient.destroy());
  } else if (variant === "aborted") {
    await remit.quote(QUOTE, { signal: AbortSignal.any([signal, AbortSignal.timeout(ABORT_MS)]) });
  } else await remit.quote(QUOTE, { signal });
  return {};
}

function caseOf(call: Case["call"], fault: Fault, code = DONE, variant?: Variant): Case {
  return { call, fault, expects: code, ...(variant && { variant }) };
}
