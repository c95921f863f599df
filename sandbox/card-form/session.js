const STATUS_TIMEOUT_MS = 10_000;
const VERIFY_TIMEOUT_MS = 30_000;

const RESULTS = { SUCCESS: "success", FAIL: "fail", EXPIRED: "expired" };

/** The card onboarding session on this page's server. `address` is the path of the page. */
export class CardSession {
  #address;

  constructor(address) {
    this.#address = address.replace(/\/+$/, "");
  }

  /**
   * Returns `{ kind: "known", status, expiresInMs }`, `{ kind: "unknown" }` or `{ kind: "unreachable" }`;
   * never throws. The time left is that of the server's clock, as the local one may be wrong.
   */
  async status() {
    const { httpStatus, body } = await this.#ask("/status", {}, STATUS_TIMEOUT_MS);
    if (httpStatus === 404) return { kind: "unknown" };
    if (httpStatus !== 200 || typeof body?.status !== "string") return { kind: "unreachable" };
    const expiresInMs = Date.parse(body.expirationDate) - Date.parse(body.now);
    return { kind: "known", status: body.status, expiresInMs };
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
    const { httpStatus, body } = await this.#ask("/verify", request, VERIFY_TIMEOUT_MS);
    if (httpStatus === 404) return { kind: "unknown" };
    if (httpStatus !== 200 || !Object.hasOwn(RESULTS, body?.result)) return { kind: "lost" };
    const { result, ...problem } = body;
    return { kind: RESULTS[result], ...problem };
  }

  /** Returns `{}` if the server is unreachable, and no body if that is not JSON. */
  async #ask(path, request, timeoutMs) {
    try {
      const reply = await fetch(this.#address + path, {
        ...request,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { httpStatus: reply.status, body: await reply.json().catch(() => null) };
    } catch {
      return {};
    }
  }
}
