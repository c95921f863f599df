import { sandboxSenders, withTrigger, type RequestTrigger } from "remitkit/testing";
import type { Means, Trigger, TriggerTable } from "../../triggers";
import { attempt, type Prepare } from "./attempt";
import { cardEntry } from "./cards";
import { AMOUNT, BANK, QUOTE, recipientRequest, senderRequest, UNKNOWN_ID } from "./fixtures";
import { RULES } from "./rules";
import type { Run, Scenario } from "./scenario";

type ScenarioPart = Pick<Scenario, "about" | "run"> & Partial<Scenario>;
type RequestMeans = Exclude<Means, { kind: "card" | "rule" }>;

/** Valid calls by method; those that are not here take an id alone. */
const VALID: Record<string, Prepare> = {
  quote: () => ({ request: QUOTE }),
  recipientFields: () => ({ request: { ...BANK, recipientType: "PERSON" } }),
  createSender: async ({ remit }) => {
    return { caller: "client", request: await senderRequest(remit), raw: "POST /v1/senders" };
  },
  updateSender: async ({ remit }) => {
    const { limited } = sandboxSenders;
    const raw = `PATCH /v1/senders/${limited}`;
    return { caller: "client", args: [limited], request: await senderRequest(remit), raw };
  },
  createRecipient: async ({ remit }) => ({ request: await recipientRequest(remit, BANK) }),
  createRecipientAccount: ({ remit, fixtures }) => fixtures.cardAccount(remit, UNKNOWN_ID),
  // The amount has to be the quoted one.
  transfer: async ({ remit, fixtures }, amount) => {
    return { request: await fixtures.transfer(remit, { amount }), raw: "POST /v1/transfers" };
  },
};

export function errorScenarios({ triggers }: TriggerTable): Scenario[] {
  return triggers.flatMap((trigger, index) => {
    const { code, operation: group } = trigger;
    const key = `${group} ${code}`;
    const isSame = (one: Trigger) => one.code === code && one.operation === group;
    const count = triggers.slice(0, index + 1).filter(isSame).length;
    const made = scenarioOf(trigger, key);
    const [id, label] = count > 1 ? [`${key} ${count}`, `${code} (${count})`] : [key, code];
    return made ? [{ id, group, label, expects: code, ...made }] : [];
  });
}

function scenarioOf(trigger: Trigger, key: string): ScenarioPart | undefined {
  const { code, operation, means } = trigger;
  if (means.kind === "card") return { expects: "CARD_VALIDATION_STOP_FAIL", ...cardEntry(means.number) };
  if (means.kind === "rule") {
    const rule = RULES[key];
    if (!rule) return undefined;
    const { prepare, ...others } = typeof rule === "function" ? { prepare: rule } : rule;
    const run: Run = async (bench) =>
      attempt(bench, operation, code, (await prepare?.(bench, AMOUNT)) ?? {});
    return { about: means.rule, run, ...others };
  }
  const [change, words] = changeBy(means, code);
  const amount = means.kind === "amount" ? means.amount : AMOUNT;
  const id = "value" in means ? means.value : "";
  return {
    about: `Call ${operation} ${words}.`,
    shows: [code, id].filter(Boolean),
    run: async (bench) => {
      const valid = (await VALID[operation]?.(bench, amount)) ?? { args: [id] };
      const request = valid.request && withTrigger(valid.request, change);
      return attempt(bench, operation, code, { ...valid, request });
    },
  };
}

/** Returns the change to a request that causes an error, and its words. */
function changeBy(means: RequestMeans, code: string): [RequestTrigger, string] {
  if (means.kind === "amount") {
    return [{ amount: means.amount }, `with the amount ${means.amount}, in minor units`];
  }
  if (means.kind === "name") return [{ lastName: code }, `with ${code} as last name or company name`];
  const value = means.value || null;
  const words = (place: string, name: string) => (value ? `with ${value} ${place} ${name}` : `without ${name}`);
  if (means.kind === "field") return [{ field: means.id, value }, words("in the field", means.id)];
  return [{ property: means.name, value }, words("as", means.name)];
}
