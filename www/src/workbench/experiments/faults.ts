import type { RemitKit } from "remitkit";
import type { SandboxFault } from "remitkit/testing";
import { wt, type TextKey } from "../texts";
import type { Bench, Expectation, Experiment, Facts } from "./experiment";
import { AMOUNT, BANK, transferFacts } from "./ground";

type Call = "quote" | "transfer";

interface Case {
  fault: Omit<SandboxFault, "kind" | "path">;
  call: Call;
  expects: Expectation;
  /** How the call is made, where it is not just made. */
  how?: "impatient" | "aborted" | "unsettled";
}

const DONE = { done: true } as const;
// As often as a read is tried.
const ALWAYS = 3;

/** Network faults by kind, with the SDK's results. The compiler requires every kind of the sandbox's. */
const CASES: Record<SandboxFault["kind"], Record<string, Case>> = {
  latency: {
    once: { call: "quote", fault: { delayMilliseconds: 600 }, expects: DONE },
    timeout: { call: "quote", fault: { delayMilliseconds: 5_000, count: ALWAYS }, expects: { code: "Timeout" }, how: "impatient" },
    aborted: { call: "quote", fault: { delayMilliseconds: 5_000 }, expects: { code: "Aborted" }, how: "aborted" },
    during: { call: "transfer", fault: { when: "during", delayMilliseconds: 600 }, expects: DONE },
  },
  status: {
    once: { call: "quote", fault: {}, expects: DONE },
    always: { call: "quote", fault: { count: ALWAYS }, expects: { code: "ServiceUnavailable" } },
    token: { call: "quote", fault: { status: 401 }, expects: DONE },
    unauthorized: { call: "quote", fault: { status: 401, count: ALWAYS }, expects: { code: "Unauthorized" } },
    forbidden: { call: "quote", fault: { status: 403 }, expects: { code: "AccessDenied" } },
    retryAfter: { call: "quote", fault: { status: 429, retryAfterSeconds: 1 }, expects: DONE },
    tooMany: { call: "quote", fault: { status: 429, count: ALWAYS }, expects: { code: "TooManyRequests" } },
    after: { call: "transfer", fault: { when: "after" }, expects: DONE },
  },
  drop: {
    once: { call: "quote", fault: {}, expects: DONE },
    always: { call: "quote", fault: { count: 9 }, expects: { code: "NetworkFailure" } },
    after: { call: "transfer", fault: { when: "after" }, expects: DONE },
    commit: { call: "transfer", fault: { when: "commit" }, expects: DONE },
    unsettled: { call: "transfer", fault: { when: "after" }, expects: { code: "OutcomeUnknown" }, how: "unsettled" },
  },
  truncate: {
    once: { call: "quote", fault: {}, expects: DONE },
    after: { call: "transfer", fault: { when: "after" }, expects: DONE },
  },
  nonJson: {
    always: { call: "quote", fault: { count: ALWAYS }, expects: { code: "ServiceUnavailable" } },
    unreadable: { call: "quote", fault: { status: 200, count: ALWAYS }, expects: { code: "UnreadableReply" } },
  },
  duplicate: { transfer: { call: "transfer", fault: {}, expects: DONE } },
  late: { transfer: { call: "transfer", fault: { delayMilliseconds: 300 }, expects: DONE } },
  slow: { once: { call: "quote", fault: { delayMilliseconds: 600 }, expects: DONE } },
};

const TARGETS: Record<Call, { method: string; path: string }> = {
  quote: { method: "GET", path: "/v1/quote" },
  transfer: { method: "POST", path: "/v1/transfers" },
};

/** Every kind of fault, in the ways that differ in what the SDK makes of them. */
export function faultExperiments(): Experiment[] {
  return Object.entries(CASES).flatMap(([kind, cases]) =>
    Object.entries(cases).map(([name, one]) => ({
      id: `fault ${kind} ${name}`,
      group: kind,
      label: () => wt(`fault.${kind}.${name}` as TextKey),
      about: () => wt("fault.about", { fault: JSON.stringify({ kind, ...TARGETS[one.call], ...one.fault }), operation: one.call }),
      expects: one.expects,
      run: (bench: Bench) => run(bench, { kind: kind as SandboxFault["kind"], ...TARGETS[one.call], ...one.fault }, one),
    })),
  );
}

async function run(bench: Bench, fault: SandboxFault, { call, how }: Case): Promise<Facts> {
  const { sandbox, trace, remit, ground } = bench;
  const transfer = call === "transfer" ? await ground.transfer(remit) : undefined;
  await sandbox.faults.clear();
  await sandbox.faults.add(fault);
  trace.action("fault", { kind: fault.kind, path: fault.path, count: fault.count ?? 1, ...(fault.when ? { when: fault.when } : {}) });
  try {
    if (!transfer) return await quote(bench, how);
    if (how === "unsettled") await sandbox.faults.add({ kind: "status", path: "/v1/transfers/*", count: 1_000 });
    const facts = transferFacts(await remit.transfer(transfer));
    return { ...facts, recorded: await recorded(bench, transfer.quoteHistoryId) };
  } finally {
    await sandbox.faults.clear();
  }
}

async function quote(bench: Bench, how: Case["how"]): Promise<Facts> {
  const ask = (remit: RemitKit, signal = bench.signal) =>
    remit.quote({ ...BANK, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: AMOUNT }, { signal });
  if (how === "aborted") await ask(bench.remit, AbortSignal.any([bench.signal, AbortSignal.timeout(300)]));
  else if (how === "impatient") {
    const remit = await bench.kits.make("impatient", { timeoutMs: 400 });
    try {
      await ask(remit);
    } finally {
      await remit.destroy();
    }
  } else await ask(bench.remit);
  return {};
}

/** How many transfers the sandbox has recorded for a quote: one, whatever happened on the way. */
async function recorded({ sandbox, trace }: Bench, quoteHistoryId: string): Promise<number> {
  const transfers = await sandbox.transfers();
  const count = transfers.filter((transfer) => transfer["quoteHistoryId"] === quoteHistoryId).length;
  trace.action("recorded", { count });
  return count;
}
