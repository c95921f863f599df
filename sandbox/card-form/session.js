const STATUS_TIMEOUT_MS = 10_000;
const VERIFY_TIMEOUT_MS = 30_000;

/** The card onboarding session on this page's server. `address` is the path of the page. */
export class CardSession {
  #address;

  constructor(address) {
    this.#address = address.replace(/\/+$/, "");
  }

  /**
   * Returns `{ kind: "known", status, expiresInMs }`, `{ kind: "unknown" }` or `{ kind: "unreachable" }`;
   * never throws. `expiresInMs` is null if the server sent no readable date.
   */
  async status() {
    const answer = await this.#ask("/status", { method: "GET" }, STATUS_TIMEOUT_MS);
    if (answer === null) return { kind: "unreachable" };
    if (hasNoSession(answer)) return { kind: "unknown" };
    if (!answer.ok || typeof answer.body?.status !== "string") return { kind: "unreachable" };
    return { kind: "known", status: answer.body.status, expiresInMs: this.#timeLeft(answer) };
  }

  /**
   * Sends a card, `{ number, expiryMonth, expiryYear, name, securityCode }`, to this page's own server only.
   * Returns `{ kind: "success" | "expired" | "unknown" }`, `{ kind: "fail", code, message }`, or `{ kind:
   * "lost" }` if the result is not known; never throws.
   */
  async verify(card) {
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(card),
    };
    const answer = await this.#ask("/verify", request, VERIFY_TIMEOUT_MS);
    if (answer === null) return { kind: "lost" };
    if (hasNoSession(answer)) return { kind: "unknown" };
    if (answer.ok) {
      const { result } = answer.body ?? {};
      if (result === "SUCCESS" || result === "EXPIRED") return { kind: result.toLowerCase() };
      return result === "FAIL" ? { kind: "fail", ...problemOf(answer.body) } : { kind: "lost" };
    }
    // A client error with a code is final. A timeout, a rate limit or an error without a code is no result.
    const problem = problemOf(firstError(answer.body));
    const isClientError = answer.status >= 400 && answer.status < 500 && ![408, 429].includes(answer.status);
    return isClientError && problem.code !== null ? { kind: "fail", ...problem } : { kind: "lost" };
  }

  async #ask(path, request, timeoutMs) {
    try {
      const reply = await fetch(this.#address + path, {
        ...request,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await reply.text();
      return { ok: reply.ok, status: reply.status, date: reply.headers.get("date"), body: parseJson(text) };
    } catch {
      return null;
    }
  }

  /** Returns the time left by the server's clock, as the local one may be wrong. */
  #timeLeft(answer) {
    const expires = Date.parse(answer.body.expirationDate);
    if (Number.isNaN(expires)) return null;
    const serverTime = Date.parse(answer.body.now ?? answer.date ?? "");
    return expires - (Number.isNaN(serverTime) ? Date.now() : serverTime);
  }
}

function hasNoSession(answer) {
  return answer.status === 404 || firstError(answer.body)?.code === "InvalidCardOnboardingSession";
}

/** Errors are an array or one object. */
function firstError(body) {
  return Array.isArray(body) ? body[0] : body;
}

function problemOf(error) {
  const text = (value) => (typeof value === "string" ? value : null);
  return { code: text(error?.code), message: text(error?.message) };
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
