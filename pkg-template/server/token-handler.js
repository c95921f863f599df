import { failure, isRemitError } from "../errors/errors.js";
import { BodyError, inTime } from "./body.js";
import { answer, postHandler } from "./exchange.js";
import { serverFailure } from "./failure.js";
import { isSenderId, kindOf, readFunction, readOptions, readOrigins } from "./options.js";
import { isOwnPage } from "./own-page.js";
import { refusalReporter } from "./refusals.js";

const OPTIONS = ["senderId", "origins"];
// Limits how often a page can replace a refused token.
const MIN_AGE_MS = 1_000;
// With the tokens' own limit, less than the 30 seconds after which a page gives up.
const SENDER_ID_MS = 5_000;
const STATUSES = { ServiceUnavailable: 503, TooManyRequests: 503, Aborted: 503, Timeout: 504 };

/** Creates a request handler that hands a page the token of the customer's sender. */
export function tokenHandler(options, tokenOf, { onError, onEvent }) {
  const given = readOptions(options, OPTIONS);
  const senderIdOf = readFunction(given.senderId, "senderId");
  const isOwnOrigin = readOrigins(given.origins);
  const reportRefusal = refusalReporter(onError, isOwnOrigin !== undefined);

  async function answerTo(exchange, request, context) {
    if (!(await isOwnPage(exchange, isOwnOrigin))) {
      reportRefusal(exchange, context);
      return answer(403, { error: "other_origin" });
    }
    const senderId = await askForSender(request);
    if (senderId === undefined || senderId === null) return answer(401, { error: "unauthenticated" });
    if (senderId === false) return answer(403, { error: "forbidden" });
    if (!isSenderId(senderId)) {
      const what = typeof senderId === "string" ? "text that is not a UUID" : kindOf(senderId);
      const expected = "It must return a sender's UUID, undefined for nobody, or false for a refusal.";
      const message = `senderId returned ${what}. ${expected}`;
      throw failure("InvalidConfiguration", message, { option: "senderId" });
    }
    context.senderId = senderId;
    return answer(200, await tokenOf(senderId, asksForNew(exchange) ? MIN_AGE_MS : Infinity));
  }

  async function askForSender(request) {
    try {
      return await inTime((async () => senderIdOf(request))(), SENDER_ID_MS);
    } catch (error) {
      if (!(error instanceof BodyError)) throw error;
      const message = `senderId did not settle within ${SENDER_ID_MS / 1000} seconds.`;
      throw serverFailure("Timeout", message, { option: "senderId" });
    }
  }

  return postHandler(answerTo, failed, onError, onEvent);
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
