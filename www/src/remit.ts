import { createRemitKit, type RemitKit, type SenderToken } from "remitkit";
import { Kept } from "./kept";
import { currentLocale } from "./messages";

/** The shop's own server, or the SDK's files on it, could not be had. */
export class ShopUnreachable extends Error {}

interface Bounds {
  least?: number;
  most?: number;
}

/** The shop's limits for transfers in a currency, in its minor units; `day` is the most in 24 hours. */
interface ShopLimits extends Bounds {
  day?: number;
  methods?: Record<string, Bounds>;
}

export interface Addresses {
  baseUrl: string;
  cardUrl: string;
  /** What the shop sends at all, by the currency that is paid in. */
  limits?: Record<string, ShopLimits>;
}

// No wait of the checkout is without an end; the SDK limits its own calls.
const PATIENCE_MS = 10_000;
const START_LIMIT_MS = 20_000;

const kits = new Kept<RemitKit>();
const addresses = new Kept<Addresses>();
let known: { time: number; at: number } | undefined;

/** The SDK in the shop's language: the service words quotes by the locale an instance was made with. */
export function kit(): Promise<RemitKit> {
  const locale = currentLocale();
  return kits.get(locale, () => make(locale));
}

/** The address of a path of the service. */
export async function serviceUrl(path: string): Promise<string> {
  return `${(await readAddresses()).baseUrl.replace(/\/+$/, "")}/${path}`;
}

/** Where the service and its card form are. */
export function readAddresses(): Promise<Addresses> {
  const path = "/api/config";
  return addresses.get(path, () => readJson(path, "GET", "no-store"));
}

async function make(locale: string): Promise<RemitKit> {
  const { baseUrl, cardUrl } = await readAddresses();
  const made = createRemitKit({
    baseUrl,
    cardUrl,
    locale,
    // So that a transfer which a closed tab left open is found by the next one.
    journal: "local",
    token: tokenSource(),
  });
  const limit = pause(START_LIMIT_MS).then(() => Promise.reject(new ShopUnreachable("RemitKit did not start in time.")));
  return Promise.race([made, limit]);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Returns the customer's token source. The backend caches the token; when the SDK asks again it is no longer
 * valid, so the request bypasses that cache.
 */
export function tokenSource(): () => Promise<SenderToken> {
  let isFirst = true;
  return async () => {
    const token = await readJson<SenderToken>("/api/remit-token", "POST", isFirst ? "default" : "reload");
    isFirst = false;
    return token;
  };
}

/** The time by the shop's server, whose clock is set as the service's is; a customer's may be wrong. */
export function serviceNow(): number {
  return known ? known.time + performance.now() - known.at : Date.now();
}

function noteTime(reply: Response): void {
  const time = Date.parse(reply.headers.get("date") ?? "");
  // It has whole seconds; a price is rather said to end a second too early.
  if (!Number.isNaN(time)) known = { time: time + 1_000, at: performance.now() };
}

async function readJson<Reply>(path: string, method: string, cache: RequestCache): Promise<Reply> {
  const asked = fetch(path, { method, cache, headers: { accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE_MS) });
  const reply = await asked.catch((cause: unknown) => {
    throw new ShopUnreachable(`The shop's backend did not answer ${path}.`, { cause });
  });
  noteTime(reply);
  if (!reply.ok) throw new ShopUnreachable(`The shop's backend answered ${path} with status ${reply.status}.`);
  return reply.json() as Promise<Reply>;
}
