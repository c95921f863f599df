import type { RecipientAccountRequest } from "remitkit";
import { sandboxSenders, withTrigger, type RequestTrigger } from "remitkit/testing";
import { wt } from "../../messages/workbench";
import type { Means, Trigger, TriggerTable } from "../../triggers";
import { groupedNumber } from "../../ui/test_cards";
import { CARD_RESULTS } from "./cards";
import { AMOUNT, BANK, CARD, QUOTE, recipientRequest, senderRequest, UNKNOWN_ID } from "./fixtures";
import { callThenRaw, rawRequest, rawTransfer } from "./raw_requests";
import { RULES } from "./rules";
import type { Bench, Facts, Scenario } from "./scenario";

/** A valid request, and how to send it with the SDK and without its checks. */
interface Operation {
  request: object;
  send: (request: never) => Promise<unknown>;
  sendRaw?: (request: object) => Promise<Facts>;
}

type RequestMeans = Exclude<Means, { kind: "card" | "rule" }>;

const OPERATIONS: Record<string, (bench: Bench, means: Means) => Promise<Operation>> = {
  quote: async ({ remit }) => ({ request: QUOTE, send: (request) => remit.quote(request) }),
  recipientFields: async ({ remit }) => ({
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
  createRecipient: async ({ remit }) => ({
    request: recipientRequest(BANK),
    send: (request) => remit.createRecipient(request),
  }),
  createRecipientAccount: async ({ remit, fixtures }) => {
    const { recipientId } = await fixtures.destination(remit, CARD);
    const request: RecipientAccountRequest = { ...CARD, fields: [{ id: "CARD_ID", value: UNKNOWN_ID }] };
    return { request, send: (changed) => remit.createRecipientAccount(recipientId, changed) };
  },
  transfer: async (bench, means) => ({
    // The amount has to be the quoted one.
    request: await bench.fixtures.transfer(bench.remit, means.kind === "amount" ? means.amount : AMOUNT),
    send: (request) => bench.remit.transfer(request),
    sendRaw: (request) => rawTransfer(bench, request),
  }),
  getTransfer: async ({ remit }) => ({
    request: {},
    send: ({ transferId }: { transferId: string }) => remit.getTransfer(transferId),
  }),
  transferRequest: async ({ remit }) => ({
    request: {},
    send: ({ transferRequestId: id }: { transferRequestId: string }) => remit.transferRequest(id),
  }),
};

export function errorScenarios({ triggers }: TriggerTable): Scenario[] {
  const counts = new Map<string, number>();
  return triggers.flatMap((trigger) => {
    const { code, operation } = trigger;
    const key = `${operation} ${code}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const made = scenarioOf(trigger, key);
    const id = count > 1 ? `${key} ${count}` : key;
    const label = () => (count > 1 ? `${code} (${count})` : code);
    return made ? [{ id, group: operation, label, ...made }] : [];
  });
}

function scenarioOf(trigger: Trigger, key: string): Omit<Scenario, "id" | "group" | "label"> | undefined {
  const { code, means } = trigger;
  if (means.kind === "rule") {
    const rule = RULES[key];
    const note = rule?.expects ? { note: () => wt("scenario.form_asks") } : {};
    return rule && { about: () => means.rule, isServiceText: true, expects: code, ...note, ...rule };
  }
  if (means.kind !== "card") return requestScenario(trigger, means);
  const about = () => wt("scenario.card", { number: groupedNumber(means.number) });
  const expects = "CARD_VALIDATION_STOP_FAIL";
  return { about, byHand: true, expects, run: (bench) => bench.card({}, CARD_RESULTS, about) };
}

function requestScenario({ code, operation }: Trigger, means: RequestMeans) {
  const prepare = OPERATIONS[operation];
  if (!prepare) return undefined;
  const about = () => {
    if (means.kind === "amount") return wt("scenario.amount", { operation, amount: means.amount });
    return triggerText(code, operation, means);
  };
  return {
    about,
    expects: code,
    shows: "value" in means ? [code, means.value] : [code],
    run: async (bench: Bench) => {
      const { request, send, sendRaw } = await prepare(bench, means);
      const faulty = withTrigger(request, requestTrigger(code, means));
      return callThenRaw(code, () => send(faulty as never), sendRaw && (() => sendRaw(faulty)));
    },
  };
}

function requestTrigger(code: string, means: RequestMeans): RequestTrigger {
  switch (means.kind) {
    case "amount":
      return { amount: means.amount };
    case "name":
      return { lastName: code };
    case "property":
      return { property: means.name, value: means.value || null };
    case "field":
      return { field: means.id, value: means.value || null };
  }
}

/** Says how to cause an error by a name, a property or a field. */
function triggerText(
  code: string,
  operation: string,
  means: Exclude<Means, { kind: "rule" | "amount" | "card" }>,
): string {
  if (means.kind === "name") return wt("trigger.name", { code, operation });
  const { kind, value } = means;
  const name = means.kind === "field" ? means.id : means.name;
  return wt(value ? `trigger.${kind}` : `trigger.${kind}.none`, { name, value, operation });
}
