import type { CardFormEvent, RecipientAccountRequest } from "remitkit";
import { sandboxSenders, withTrigger, type RequestTrigger } from "remitkit/testing";
import type { Means, Trigger, TriggerTable } from "../../triggers";
import { spaced } from "../../ui/test_cards";
import { triggerWords } from "../../ui/trigger_picker";
import { wt } from "../texts";
import type { Bench, Experiment, Facts } from "./experiment";
import { AMOUNT, BANK, CARD, recipientRequest, senderRequest } from "./ground";
import { pastTheSdk, rawRequest, rawTransfer } from "./past_the_sdk";
import { RULES } from "./rules";

/** A good request of an operation, how the SDK sends it, and how it is sent past the SDK's own checks. */
interface Operation {
  request: object;
  send: (request: never) => Promise<unknown>;
  past?: (request: object) => Promise<Facts>;
}

const NOBODY = "00000000-0000-4000-8000-000000000000";
const REFUSED: readonly CardFormEvent["type"][] = ["CARD_VALIDATION_STOP_FAIL", "CARD_VALIDATION_STOP_SUCCESS", "CARD_VALIDATION_STOP_EXPIRED"];

const OPERATIONS: Record<string, (bench: Bench, means: Means) => Promise<Operation>> = {
  quote: async ({ remit }) => ({
    request: { ...BANK, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT", amount: AMOUNT },
    send: (request) => remit.quote(request),
  }),
  recipientFields: async ({ remit }) => ({
    request: { ...BANK, recipientType: "PERSON" },
    send: (request) => remit.recipientFields(request),
  }),
  createSender: async ({ kits }) => {
    const remit = await kits.of("client");
    const past = (body: object) => rawRequest(remit, { method: "POST", path: "/v1/senders", body });
    return { request: senderRequest(), send: (request) => remit.createSender(request), past };
  },
  updateSender: async ({ kits }) => {
    const remit = await kits.of("client");
    const { limited: id } = sandboxSenders;
    const past = (body: object) => rawRequest(remit, { method: "PATCH", path: `/v1/senders/${id}`, body });
    return { request: senderRequest(), send: (request) => remit.updateSender(id, request), past };
  },
  createRecipient: async ({ remit }) => ({
    request: recipientRequest(BANK),
    send: (request) => remit.createRecipient(request),
  }),
  createRecipientAccount: async ({ remit, ground }) => {
    const { recipientId } = await ground.destination(remit, CARD);
    const request: RecipientAccountRequest = { ...CARD, fields: [{ id: "CARD_ID", value: NOBODY }] };
    return { request, send: (changed) => remit.createRecipientAccount(recipientId, changed) };
  },
  transfer: async (bench, means) => ({
    // The amount has to be the quoted one.
    request: await bench.ground.transfer(bench.remit, means.kind === "amount" ? means.amount : AMOUNT),
    send: (request) => bench.remit.transfer(request),
    past: (request) => rawTransfer(bench, request),
  }),
  getTransfer: async ({ remit }) => ({ request: {}, send: ({ transferId }: { transferId: string }) => remit.getTransfer(transferId) }),
  transferRequest: async ({ remit }) => ({
    request: {},
    send: ({ transferRequestId }: { transferRequestId: string }) => remit.transferRequest(transferRequestId),
  }),
};

/** Every way of the sandbox's table to every documented error. */
export function errorExperiments({ triggers }: TriggerTable): Experiment[] {
  const seen = new Map<string, number>();
  return triggers.flatMap((trigger) => {
    const { code, operation, means } = trigger;
    const key = `${operation} ${code}`;
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const shared = { id: times > 1 ? `${key} ${times}` : key, group: operation, label: () => (times > 1 ? `${code} (${times})` : code) };
    const made = means.kind === "card" ? byCard(means.number) : means.kind === "rule" ? byRule(key, code, means.rule) : byRequest(trigger, means);
    return made ? [{ ...shared, ...made }] : [];
  });
}

type Made = Omit<Experiment, "id" | "group" | "label">;

function byCard(number: string): Made {
  const about = () => wt("experiment.card", { number: spaced(number) });
  return { about, byHand: true, expects: { event: "CARD_VALIDATION_STOP_FAIL" }, run: (bench) => bench.card({}, REFUSED, about) };
}

function byRule(key: string, code: string, rule: string): Made | undefined {
  const found = RULES[key];
  const note = found?.expects ? { note: () => wt("experiment.form_asks") } : {};
  return found && { about: () => rule, isServiceText: true, expects: { code }, ...note, ...found };
}

function byRequest({ code, operation, means }: Trigger, way: Exclude<Means, { kind: "card" | "rule" }>): Made | undefined {
  const operationOf = OPERATIONS[operation];
  if (!operationOf) return undefined;
  return {
    about: () => (way.kind === "amount" ? wt("experiment.amount", { operation, amount: way.amount }) : triggerWords(code, operation, way)),
    expects: { code },
    shows: "value" in way ? [code, way.value] : [code],
    run: async (bench) => {
      const { request, send, past } = await operationOf(bench, means);
      const changed = withTrigger(request, requestTrigger(code, way));
      return pastTheSdk(code, () => send(changed as never), past && (() => past(changed)));
    },
  };
}

function requestTrigger(code: string, means: Exclude<Means, { kind: "card" | "rule" }>): RequestTrigger {
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
