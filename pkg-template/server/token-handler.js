import { invalid, isRemitError } from "../errors.js";
import { answer, postHandler } from "./exchange.js";
import { isSenderId, readFunction, readOptions, readOrigins } from "./options.js";
import { isOwnPage } from "./own-page.js";

const OPTIONS = ["senderId", "origins"];
// Limits how often a page can replace a refused token.
const MIN_AGE_MS = 1_000;
const STATUSES = { ServiceUnavailable: 503, TooManyRequests: 503, Timeout: 504 };

/** Creates a request handler that hands a page the token of the customer's sender. */
export function tokenHandler(options, tokenOf, onError) {
  const given = readOptions(options, OPTIONS);
  const senderIdOf = readFunction(given.senderId, "senderId");
  const origins = readOrigins(given.origins);

  async function answerTo(exchange, request) {
    if (!isOwnPage(exchange, origins)) return answer(403, { error: "other_origin" });
    const senderId = await senderIdOf(request);
    if (senderId === undefined || senderId === null) return answer(401, { error: "unauthenticated" });
    if (senderId === false) return answer(403, { error: "forbidden" });
    if (!isSenderId(senderId)) {
      const expected = "a function that gives a sender's UUID, undefined for nobody, or false for a refusal";
      throw invalid("InvalidConfiguration", "senderId", expected);
    }
    return answer(200, await tokenOf(senderId, asksForNew(exchange) ? MIN_AGE_MS : Infinity));
  }

  return postHandler(answerTo, failed, onError);
}

// `fetch` sends `no-cache` for `cache: "reload"`.
function asksForNew(exchange) {
  return /(^|[\s,])no-cache($|[\s,])/i.test(exchange.header("cache-control") ?? "");
}

// The page learns only that it gets no token.
function failed(error) {
  if (!isRemitError(error) || error.kind === "configuration") return answer(500, { error: "internal" });
  const status = STATUSES[error.code] ?? 502;
  const seconds = status === 503 ? Math.ceil((error.retryAfterMs ?? 0) / 1000) : 0;
  return answer(status, { error: "unavailable" }, seconds > 0 ? { "retry-after": String(seconds) } : {});
}
