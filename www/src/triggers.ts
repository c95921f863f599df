import { Kept } from "./kept";
import { serviceUrl } from "./remit";

/** What a tester does to get an error. */
export type Means =
  | { kind: "amount"; amount: number }
  | { kind: "name" }
  | { kind: "card"; number: string }
  | { kind: "property"; name: string; value: string }
  | { kind: "field"; id: string; value: string }
  | { kind: "rule"; rule: string };

/** One way to one error code; `operation` is the call that is answered so. */
export interface Trigger {
  code: string;
  operation: string;
  means: Means;
}

/** A card number that the service's form knows, and what becomes of it. */
export interface TestCard {
  number: string;
  description: string;
  result: string;
  code?: string;
  currency?: string;
}

export interface TriggerTable {
  triggers: readonly Trigger[];
  cards: readonly TestCard[];
  /** How the next card session can be told to behave. */
  sessions: readonly string[];
}

type Sent = Record<string, unknown>;

const PATH = "sandbox/triggers";
const PATIENCE_MS = 10_000;
const tables = new Kept<TriggerTable | undefined>();

/** What can be brought about on purpose. A service that moves real money has no such table: then nothing. */
export function triggerTable(): Promise<TriggerTable | undefined> {
  return tables.get(PATH, load).catch(() => undefined);
}

async function load(): Promise<TriggerTable | undefined> {
  // Without the customer's token: the table is for anybody, and none of this belongs to the checkout.
  const reply = await fetch(await serviceUrl(PATH), { credentials: "omit", signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!reply.ok) return undefined;
  const sent: unknown = await reply.json();
  if (!isObject(sent)) return undefined;
  const triggers = list(sent["triggers"]).filter(isTrigger);
  if (triggers.length === 0) return undefined;
  const sessions = list(sent["cardSessions"]).filter((one) => typeof one === "string");
  return { triggers, cards: list(sent["testCards"]).filter(isCard), sessions };
}

function list(sent: unknown): unknown[] {
  return Array.isArray(sent) ? sent : [];
}

function isObject(sent: unknown): sent is Sent {
  return typeof sent === "object" && sent !== null;
}

function hasTexts(sent: Sent, ...names: string[]): boolean {
  return names.every((name) => typeof sent[name] === "string");
}

function isTrigger(sent: unknown): sent is Trigger {
  return isObject(sent) && hasTexts(sent, "code", "operation") && isMeans(sent["means"]);
}

function isMeans(sent: unknown): sent is Means {
  if (!isObject(sent)) return false;
  switch (sent["kind"]) {
    case "amount":
      return Number.isSafeInteger(sent["amount"]) && Number(sent["amount"]) > 0;
    case "name":
      return true;
    case "card":
      return hasTexts(sent, "number");
    case "property":
      return hasTexts(sent, "name", "value");
    case "field":
      return hasTexts(sent, "id", "value");
    case "rule":
      return hasTexts(sent, "rule");
    default:
      return false;
  }
}

function isCard(sent: unknown): sent is TestCard {
  return isObject(sent) && hasTexts(sent, "number", "description", "result");
}
