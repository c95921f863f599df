import { sandboxSenders, withTrigger, type RequestTrigger } from "remitkit/testing";
import type { Means, Trigger, TriggerTable } from "../../triggers";
import { cardEntry } from "./cards";
import { AMOUNT, BANK, CARD, fields, QUOTE, recipientRequest, senderRequest, UNKNOWN_ID } from "./fixtures";
import { callThenRaw, rawRequest, rawTransfer } from "./raw_requests";
import { RULES } from "./rules";
import type { Bench, Facts, Scenario } from "./scenario";

/** A valid request, and how to send it with the SDK and without its checks. */
interface Operation {
  request: object;
  send: (request: never) => Promise<unknown>;
  sendRaw?: (request: object) => Promise<Facts | void>;
}

type ScenarioPart = Pick<Scenario, "about" | "run"> & Partial<Scenario>;
type RequestMeans = Exclude<Means, { kind: "card" | "rule" }>;

const OPERATIONS: Record<string, (bench: Bench, amount: number) => Operation | Promise<Operation>> = {
  quote: ({ remit }) => ({ request: QUOTE, send: (request) => remit.quote(request) }),
  recipientFields: ({ remit }) => ({
    request: { ...BANK, recipientType: "PERSON" },
    send: (request) => remit.recipientFields(request),
  }),
  createSender: async ({ kits }) => {
    const remit = await kits.of("client");
    const sendRaw = (body: object) => rawRequest(remit, { method: "POST", path: "/v1/senders", body });
    return { request: senderRequest(), send: (request) => remit.createSender(request), sendRaw };
  },
  updateSender: async ({ kits }) => {
    const remit = await kits.of("client");
    const { limited: id } = sandboxSenders;
    const sendRaw = (body: object) => rawRequest(remit, { method: "PATCH", path: `/v1/senders/${id}`, body });
    return { request: senderRequest(), send: (request) => remit.updateSender(id, request), sendRaw };
  },
  createRecipient: ({ remit }) => ({
    request: recipientRequest(BANK),
    send: (request) => remit.createRecipient(request),
  }),
  createRecipientAccount: async ({ remit, fixtures }) => {
    const { recipientId } = await fixtures.destination(remit, CARD);
    const request = { ...CARD, fields: fields({ CARD_ID: UNKNOWN_ID }) };
    return { request, send: (changed) => remit.createRecipientAccount(recipientId, changed) };
  },
  // The amount has to be the quoted one.
  transfer: async (bench, amount) => ({
    request: await bench.fixtures.transfer(bench.remit, amount),
    send: (request) => bench.remit.transfer(request),
    sendRaw: (request) => rawTransfer(bench, request),
  }),
  getTransfer: ({ remit }) => ({
    request: {},
    send: ({ transferId }: { transferId: string }) => remit.getTransfer(transferId),
  }),
  transferRequest: ({ remit }) => ({
    request: {},
    send: ({ transferRequestId: id }: { transferRequestId: string }) => remit.transferRequest(id),
  }),
};

export function errorScenarios({ triggers }: TriggerTable): Scenario[] {
  const counts = new Map<string, number>();
  return triggers.flatMap((trigger) => {
    const { code, operation: group } = trigger;
    const key = `${group} ${code}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
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
    return rule && { about: means.rule, ...(typeof rule === "function" ? { run: rule } : rule) };
  }
  const prepare = OPERATIONS[operation];
  if (!prepare) return undefined;
  const [change, about] = changeBy(means, trigger);
  const amount = means.kind === "amount" ? means.amount : AMOUNT;
  return {
    about: `Call ${operation} ${about}.`,
    shows: "value" in means ? [code, means.value] : [code],
    run: async (bench) => {
      const { request, send, sendRaw } = await prepare(bench, amount);
      const faulty = withTrigger(request, change);
      return callThenRaw(code, () => send(faulty as never), sendRaw && (() => sendRaw(faulty)));
    },
  };
}

/** Returns the change to a request that causes an error, and its words. */
function changeBy(means: RequestMeans, { code }: Trigger): [RequestTrigger, string] {
  if (means.kind === "amount") {
    return [{ amount: means.amount }, `with the amount ${means.amount}, in minor units`];
  }
  if (means.kind === "name") return [{ lastName: code }, `with ${code} as last name or company name`];
  const value = means.value || null;
  if (means.kind === "property") {
    const { name } = means;
    return [{ property: name, value }, value ? `with ${value} as ${name}` : `without ${name}`];
  }
  const { id } = means;
  return [{ field: id, value }, value ? `with ${value} in the field ${id}` : `without the field ${id}`];
}
