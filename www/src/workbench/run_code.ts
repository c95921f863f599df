import type { CardFormEvent, ErrorKind, Resolution, Theme } from "remitkit";
import { CALLERS, type Caller } from "./kits";
import type { Exchange, RecordedCall } from "./recorder";
import { redacted, redactedUrl, UUID } from "./redact";
import { isRecord, lines, literal, reactCode, Verbatim } from "./snippets";
import { cardFormCodes } from "./theme";

/** Texts that are shown although they stand where private data could, as they cause an error. */
export type Shown = ReadonlySet<string>;

/** Writes a call, for each kind of page; `line` is the call alone, for a `try` block. */
export function callCode({ as, operation, args: given }: RecordedCall, shown: Shown) {
  const isForm = operation === "cardForm";
  const args = given.map((arg) => redacted(arg, shown, "id"));
  while (args.length > 0 && ["{}", "undefined"].includes(literal(args.at(-1)))) args.pop();
  const hasRequest = !isForm && isRecord(args.at(-1));
  const [request] = hasRequest ? args.splice(-1, 1, new Verbatim("request")) : [];
  const kit = as ? `${as}Kit` : "remit";
  const line = `await ${kit}.${operation}(${args.map((arg) => literal(arg)).join(", ")});`;
  const code = lines([
    as && `// ${kit}: ${CALLERS[as as Caller].about}`,
    hasRequest && `const request = ${literal(request)};`,
    isForm ? `const form = ${line}` : line,
  ]);
  if (isForm) {
    const { theme = {} } = given[0] as { theme?: Theme };
    const codes = { ...cardFormCodes(theme), JavaScript: code };
    return { codes, line: "const { cardId } = await form.completed;" };
  }
  return { codes: as ? { JavaScript: code } : { JavaScript: code, React: reactCode(code) }, line };
}

const SHOW = "show(error.userMessage);";
/** What a page does about an error, by resolution or kind. The functions that it calls are the page's own. */
const HANDLERS: Record<string, string> = {
  fetch_new_quote: `// Nothing was sent. Where there is a new price, the error brings it.
if (error.quote && (await customerAgrees(error.quote, error.difference))) {
  await remit.transfer({ ...request, quoteHistoryId: error.quote.quoteHistoryId });
}`,
  wait_for_reset: `${SHOW} // a limit: less may do, or a later day`,
  start_new_card_session: "await form.renew(); // a new session in the same place",
  use_another_card: `${SHOW}\nawait form.renew(); // for another card`,
  choose_another_corridor: "offer(await remit.corridors());",
  quote_by_send_amount: 'await remit.quote({ ...request, quoteBy: "SEND_AMOUNT" });',
  name_the_sender: `// The token names no customer: have your backend ask for one with a sender_id.\n${SHOW}`,
  resume_attempt: `// Never send another transfer: find out the outcome of this one.
const transfer = await error.attempt?.resume();`,
  read_the_transfer: "show(await remit.transfers()); // it was done already",
  field: "for (const { fieldId, message } of error.problems ?? []) showAtField(fieldId, message);",
  authentication: "askToSignIn(); // the SDK has asked for a fresh token already",
  aborted: "return; // the page itself ended the call",
  timeout: "offerAgain(); // the SDK has tried as often as is safe",
  unavailable: "offerAgain(error.retryAfterMs); // the SDK has tried as often as is safe",
} satisfies Partial<Record<Resolution | ErrorKind, string>>;

export function catchCode(line: string, kind: string, resolution: string): string {
  const [member, value] = resolution in HANDLERS ? ["resolution", resolution] : ["kind", kind];
  const special = HANDLERS[value];
  const test = `error.${member} === "${value}"`;
  const handled = special ? `if (${test}) {\n${lines([special], 1)}\n} else {\n  ${SHOW}\n}` : SHOW;
  return `try {
  ${line}
} catch (error) {
  if (!isRemitError(error)) throw error;
${lines([handled], 1)}
}`;
}

/** What a page does about an event of the form. */
export const EVENT_CODE: Record<string, string> = {
  READY: 'form.on("READY", () => hidePlaceholder());',
  LOAD_FAILED: 'form.on("LOAD_FAILED", ({ reason }) => offerAnotherWay(reason));',
  CARD_VALIDATION_START: 'form.on("CARD_VALIDATION_START", () => holdTheRest());',
  CARD_VALIDATION_STOP_SUCCESS: "const { cardId } = await form.completed;",
  CARD_VALIDATION_STOP_FAIL:
    'form.on("CARD_VALIDATION_STOP_FAIL", () => show("This card could not be verified."));',
  CARD_VALIDATION_STOP_EXPIRED: 'form.on("CARD_VALIDATION_STOP_EXPIRED", () => form.renew());',
} satisfies Record<CardFormEvent["type"], string>;

/** Writes a request and its reply as they went over the wire, redacted. */
export function exchangeText(exchange: Exchange, shown: Shown): string {
  const { method, status, url, body, reply } = exchange;
  const { authorization, ...others } = exchange.headers;
  const own = { ...(authorization && { authorization: "Bearer $TOKEN" }), ...others };
  const json = (value: unknown) =>
    value !== undefined && `\n${JSON.stringify(redacted(value, shown), undefined, 2)}`;
  return lines([
    `${method} ${redactedUrl(url, shown)}`,
    ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
    json(body),
    `\n→ ${status || "no reply"}`,
    json(reply),
  ]);
}

/** Writes a request as a curl command, with its ids as they were sent; `$TOKEN` stands for a token. */
export function curlCode({ method, url, headers, body }: Exchange, shown: Shown): string {
  const { authorization, ...others } = headers;
  const ids = `${url} ${JSON.stringify(body)}`.match(UUID) ?? [];
  const sent = new Set([...shown, ...ids]);
  const options = Object.entries(others).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  if (authorization) options.unshift('-H "authorization: Bearer $TOKEN"');
  const data = JSON.stringify(redacted(body, sent), undefined, 2);
  if (body !== undefined) options.push(`-d ${shellQuoted(data)}`);
  return [`curl -X ${method} ${shellQuoted(redactedUrl(url, sent))}`, ...options].join(" \\\n  ");
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
