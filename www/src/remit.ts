import { createRemitKit, type RemitError, type RemitKit, type SenderToken } from "remitkit";
import type { AmountLimits } from "remitkit/fields";
import { timeoutSignal } from "./compat";
import { currentLocale, LANGUAGE_CHANGED } from "./messages";
import { PromiseCache } from "./promise_cache";
import { refreshTexts } from "./ui/dom";

/** The shop's own backend, or the SDK's files on it, did not answer. */
export class ShopUnreachable extends Error {}

interface Config {
  baseUrl: string;
  cardUrl: string;
  /** The shop's limits for one transfer, in minor units of the currency that is paid in. */
  limits?: Record<string, AmountLimits & { methods?: Record<string, AmountLimits> }>;
}

const BACKEND_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 20_000;

const kits = new PromiseCache<RemitKit>();
const configs = new PromiseCache<Config>();
let serverClock: { time: number; readAt: number; setTo: number } | undefined;

/** Returns the SDK for the current language: the service words quotes by the locale of the instance. */
export function kit(): Promise<RemitKit> {
  const locale = currentLocale();
  return kits.get(locale, () => createKit(locale));
}

/** The kits that are there, by locale. */
const opened = new Map<string, RemitKit>();

/** Returns the text for the customer in the current language, of an error that may be older than it. */
export function userMessageOf(error: RemitError): string {
  return opened.get(currentLocale())?.userMessageOf(error) ?? error.userMessage;
}

// Errors on the page are in the other language until its kit is there.
addEventListener(LANGUAGE_CHANGED, () => void kit().then(() => refreshTexts(document.body), () => {}));

/** Returns the configuration that the shop's backend hands to the page. */
export function readConfig(): Promise<Config> {
  const path = "/api/config";
  return configs.get(path, () => fetchJson(path, "GET", "no-store"));
}

async function createKit(locale: string): Promise<RemitKit> {
  const { baseUrl, cardUrl } = await readConfig();
  // "local" lets the next tab find a transfer that a closed tab left open.
  const options = { baseUrl, cardUrl, locale, token: tokenSource() };
  const created = createRemitKit({ ...options, journal: "local" });
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new ShopUnreachable("RemitKit did not start in time.")), START_TIMEOUT_MS);
  });
  const remit = await Promise.race([created, timeout]);
  opened.set(locale, remit);
  return remit;
}

/**
 * Creates a source of the customer's tokens. The backend caches a token; when the SDK asks again, it is no
 * longer valid, so the request bypasses the cache.
 */
export function tokenSource(): () => Promise<SenderToken> {
  let isFirst = true;
  return async () => {
    const cache = isFirst ? "default" : "reload";
    const token = await fetchJson<SenderToken>("/api/remit-token", "POST", cache);
    isFirst = false;
    return token;
  };
}

/**
 * Returns the time by the shop's server: the customer's device may be wrong. Some devices stop one of their clocks while
 * they sleep, so the later counts.
 */
export function serviceNow(): number {
  if (!serverClock) return Date.now();
  const { time, readAt, setTo } = serverClock;
  return time + Math.max(performance.now() - readAt, Date.now() - setTo);
}

/**
 * Parses a date of the service: a time without a zone is UTC, and a day alone begins in the customer's zone.
 * Returns NaN for what is none.
 */
export function serviceTime(date: string | null | undefined): number {
  const text = date ?? "";
  return Date.parse(isDay(text) ? `${text}T00:00` : text.replace(/^([\d-]+)[T ]([\d:.]+)$/, "$1T$2Z"));
}

/** Whether a date of the service is a day without a time, which is the same day in every zone. */
export function isDay(date: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(date);
}

async function fetchJson<Reply>(path: string, method: string, cache: RequestCache): Promise<Reply> {
  const signal = timeoutSignal(BACKEND_TIMEOUT_MS);
  const reply = await fetch(path, { method, cache, headers: { accept: "application/json" }, signal }).catch(
    (cause: unknown) => {
      throw new ShopUnreachable(`The shop's backend did not answer ${path}.`, { cause });
    },
  );
  const time = Date.parse(reply.headers.get("date") ?? "");
  // The header has whole seconds: rounded up, a price ends a second early, never late.
  if (!Number.isNaN(time)) {
    serverClock = { time: time + 1_000, readAt: performance.now(), setTo: Date.now() };
  }
  if (!reply.ok) throw new ShopUnreachable(`The shop's backend answered ${path} with ${reply.status}.`);
  return reply.json() as Promise<Reply>;
}
