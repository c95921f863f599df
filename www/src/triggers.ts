import type { SandboxCard } from "remitkit/testing";
import { timeoutSignal } from "./compat";
import { PromiseCache } from "./promise_cache";
import { readConfig } from "./remit";

export type Means =
  | { kind: "amount"; amount: number }
  | { kind: "name" }
  | { kind: "card"; number: string }
  | { kind: "property"; name: string; value: string }
  | { kind: "field"; id: string; value: string }
  | { kind: "rule"; rule: string };

export interface Trigger {
  code: string;
  operation: string;
  means: Means;
}

/** A card number that the hosted form knows, and its result. */
export type TestCard = SandboxCard & { description: string };

/** The sandbox's table of everything that a tester can cause. */
export interface TriggerTable {
  triggers: readonly Trigger[];
  testCards: readonly TestCard[];
  cardSessions: readonly string[];
}

const PATH = "sandbox/triggers";
const TIMEOUT_MS = 10_000;
const tables = new PromiseCache<TriggerTable | undefined>();

/** Returns the sandbox's table; undefined for a service that is no sandbox. */
export function triggerTable(): Promise<TriggerTable | undefined> {
  return tables.get(PATH, fetchTable).catch(() => undefined);
}

async function fetchTable(): Promise<TriggerTable | undefined> {
  // Without the customer's token: the table is public and no part of the checkout.
  const signal = timeoutSignal(TIMEOUT_MS);
  const { baseUrl } = await readConfig();
  const reply = await fetch(`${baseUrl}/${PATH}`, { credentials: "omit", signal });
  if (!reply.ok) return undefined;
  const table = (await reply.json()) as Partial<TriggerTable> | null;
  const isTable = [table?.triggers, table?.testCards, table?.cardSessions].every(Array.isArray);
  return isTable ? (table as TriggerTable) : undefined;
}
