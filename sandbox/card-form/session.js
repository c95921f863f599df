// The card onboarding session as this page's server knows it: its status, and a card put to the test.

const STATUS_TIMEOUT_MS = 10_000;
const VERIFY_TIMEOUT_MS = 30_000;

/** One session at `address`, the path this page was served from. */
export class CardSession {
  #address;
  #fetch;
  #now;

  constructor(address, { fetch, now = () => Date.now() }) {
    this.#address = address.replace(/\/+$/, "");
    this.#fetch = fetch;
    this.#now = now;
  }

  /**
   * Returns `{ kind: "known", status, expiresInMs }`, `{ kind: "unknown" }` or `{ kind: "unreachable" }`;
   * never throws. `expiresInMs` is null if the server sent no readable date.
   */
  async status() {
    const answer = await this.#ask("/status", { method: "GET" }, STATUS_TIMEOUT_MS);
    if (answer === null) return { kind: "unreachable" };
    if (isNoSession(answer)) return { kind: "unknown" };
    if (!answer.ok || typeof answer.body?.status !== "string") return { kind: "unreachable" };
    return {
      kind: "known",
      status: answer.body.status,
      expiresInMs: this.#timeLeft(answer),
    };
  }

  /**
   * Puts a card to the test: `{ number, expiryMonth, expiryYear, name, securityCode }`, sent to this page's
   * own server and nowhere else. Gives `{ kind: "success" | "expired" | "unknown" }`,
   * `{ kind: "fail", code, message }`, or `{ kind: "lost" }` where the outcome is not known; never throws.
   */
  async verify(card) {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(card),
    };
    const answer = await this.#ask("/verify", request, VERIFY_TIMEOUT_MS);
    if (answer === null) return { kind: "lost" };
    if (isNoSession(answer)) return { kind: "unknown" };
    if (answer.ok) {
      switch (answer.body?.result) {
        case "SUCCESS":
          return { kind: "success" };
        case "EXPIRED":
          return { kind: "expired" };
        case "FAIL":
          return { kind: "fail", ...problemOf(answer.body) };
        default:
          return { kind: "lost" };
      }
    }
    // A refusal that says why is final. Too many requests, and anything without a reason, is not an outcome.
    const problem = problemOf(firstError(answer.body));
    const refused = answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429;
    return refused && problem.code !== null ? { kind: "fail", ...problem } : { kind: "lost" };
  }

  async #ask(path, request, timeoutMs) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      const fetch = this.#fetch;
      const reply = await fetch(this.#address + path, {
        ...request,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        signal: stop.signal,
      });
      const text = await reply.text();
      return { ok: reply.ok, status: reply.status, date: reply.headers.get("date"), body: readJson(text) };
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The time left by the server's clock, so that a wrong clock here neither shortens nor lengthens it. */
  #timeLeft(answer) {
    const expires = Date.parse(answer.body.expirationDate);
    if (Number.isNaN(expires)) return null;
    const stated = Date.parse(answer.body.now ?? answer.date ?? "");
    return expires - (Number.isNaN(stated) ? this.#now() : stated);
  }
}

function isNoSession(answer) {
  return answer.status === 404 || firstError(answer.body)?.code === "InvalidCardOnboardingSession";
}

/** Errors come as an array or as one object. */
function firstError(body) {
  return Array.isArray(body) ? body[0] : body;
}

function problemOf(error) {
  return {
    code: typeof error?.code === "string" ? error.code : null,
    message: typeof error?.message === "string" ? error.message : null,
  };
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
