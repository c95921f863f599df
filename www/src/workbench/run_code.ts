import type { CardFormEvent, ErrorKind, Resolution } from "remitkit";
import type { Exchange, RecordedCall, Run } from "./recorder";
import { isRecord, redacted, redactedUrl } from "./redact";

/** Texts that are no secret though they stand where one could, as what makes the sandbox refuse a request. */
export type Shown = ReadonlySet<string>;

/** A call as code; `before` are the calls whose results it takes, `line` is the call alone. */
export interface CallCode {
  before: string;
  code: string;
  line: string;
}

/** What stands in the code as it is written. */
class Verbatim {
  constructor(readonly text: string) {}
}

/** What the kits are that are not the customer's. */
const KITS: Record<string, string> = {
  client: "its token names no sender",
  business: "its sender is a business",
  otherClient: "its token is another client's",
  traveller: "its tokens follow the sandbox's clock",
  newSender: "its sender was made for this",
  impatient: "made with timeoutMs: 400",
};
const INDENT = "  ";
const SHORT = 64;
const CONTAINER = new Verbatim('"#card"');
const REQUEST = new Verbatim("request");

export function callCode({ call, origin }: Run, shown: Shown): CallCode | undefined {
  if (!call) return undefined;
  const taken = new Map<string, RecordedCall>();
  const before: { call: RecordedCall; text: string }[] = [];

  // In place of an id, the name that an earlier call's result gives it.
  const linked = (value: unknown): unknown => {
    if (value instanceof Element) return CONTAINER;
    if (value instanceof AbortSignal) return undefined;
    if (Array.isArray(value)) return value.map(linked);
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, linked(member)]));
    const from = typeof value === "string" ? origin(value) : undefined;
    if (!from || from.call.number >= call.number || (taken.get(from.member) ?? from.call) !== from.call) return value;
    taken.set(from.member, from.call);
    if (!before.some((one) => one.call === from.call)) before.push({ call: from.call, text: invoked(from.call, argumentsOf(from.call)) });
    return new Verbatim(from.member);
  };
  const argumentsOf = ({ args }: RecordedCall): unknown[] => {
    const written = args.map((arg) => redacted(linked(arg), shown));
    while (written.length > 0 && ["{}", "undefined"].includes(literal(written.at(-1)))) written.pop();
    return written;
  };

  const args = argumentsOf(call);
  const lines = call.as ? [`// ${call.as}Kit: ${KITS[call.as] ?? "another kit"}`] : [];
  const request = args.at(-1);
  if (call.operation !== "cardForm" && isRecord(request)) {
    lines.push(`const request = ${literal(request)};`);
    args.splice(-1, 1, REQUEST);
  }
  const line = `await ${invoked(call, args)};`;
  lines.push(call.operation === "cardForm" ? `const form = ${line}` : line);
  return {
    before: before.map((one) => `const { ${namesFrom(taken, one.call).join(", ")} } = await ${one.text};`).join("\n"),
    code: lines.join("\n"),
    line: call.operation === "cardForm" ? "const { cardId } = await form.completed;" : line,
  };
}

function namesFrom(taken: Map<string, RecordedCall>, call: RecordedCall): string[] {
  return [...taken].filter(([, from]) => from === call).map(([member]) => member);
}

function invoked({ as, operation }: RecordedCall, args: unknown[]): string {
  return `${as ? `${as}Kit` : "remit"}.${operation}(${args.map((arg) => literal(arg)).join(", ")})`;
}

/** A value as one writes it: names without quotes, what is short on one line. */
export function literal(value: unknown, margin = ""): string {
  if (value instanceof Verbatim) return value.text;
  const inner = margin + INDENT;
  if (Array.isArray(value)) return bracketed(["[", "]"], value.map((item) => literal(item, inner)), margin);
  if (isRecord(value)) {
    const isSaid = (member: unknown) => member !== undefined && !(isRecord(member) && Object.keys(member).length === 0);
    const members = Object.entries(value).filter(([, member]) => isSaid(member));
    return bracketed(["{ ", " }"], members.map(([name, member]) => memberOf(name, literal(member, inner))), margin);
  }
  return value === undefined ? "undefined" : JSON.stringify(value);
}

function memberOf(name: string, value: string): string {
  return name === value ? name : `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${value}`;
}

function bracketed([open, close]: [string, string], items: string[], margin: string): string {
  const line = items.length > 0 ? open + items.join(", ") + close : (open + close).replaceAll(" ", "");
  if (line.length <= SHORT && !line.includes("\n")) return line;
  return `${open.trim()}\n${items.map((item) => `${margin}${INDENT}${item},\n`).join("")}${margin}${close.trim()}`;
}

const SHOW = "show(error.message);";
/**
 * What a page does about an error, by its resolution, else by its kind; otherwise it shows the message. The
 * functions that it calls are the page's own.
 */
const BY_RESOLUTION: Partial<Record<Resolution, string[]>> = {
  fetch_new_quote: [
    "// Nothing was sent. Where there is a new price, the error brings it.",
    "if (error.quote && (await customerAgrees(error.quote, error.difference))) {",
    "  await remit.transfer({ ...request, quoteHistoryId: error.quote.quoteHistoryId });",
    "}",
  ],
  wait_for_reset: [`${SHOW} // a limit: less may do, or a later day`],
  start_new_card_session: ["await form.renew(); // a new session in the same place"],
  use_another_card: [SHOW, "await form.renew(); // for another card"],
  choose_another_corridor: ["offer(await remit.corridors());"],
  quote_by_send_amount: ['await remit.quote({ ...request, quoteBy: "SEND_AMOUNT" });'],
  name_the_sender: ["// The token names no customer: have your backend ask for one with a sender_id.", SHOW],
  resume_attempt: ["// Never send another: ask what became of this one.", "const transfer = await error.attempt?.resume();"],
  read_the_transfer: ["show(await remit.transfers()); // it was done already"],
};
const BY_KIND: Partial<Record<ErrorKind, string[]>> = {
  field: ["for (const { fieldId, message } of error.problems ?? []) showAtField(fieldId, message);"],
  authentication: ["askToSignIn(); // the SDK has asked for a fresh token already"],
  aborted: ["return; // the page itself ended the call"],
  timeout: ["offerAgain(); // the SDK has tried as often as is safe"],
  unavailable: ["offerAgain(error.retryAfterMs); // the SDK has tried as often as is safe"],
};

/** The `catch` around a call for an error of this kind and resolution. */
export function catchCode(line: string, { kind, resolution = "" }: { kind: string; resolution?: string | undefined }): string {
  const byResolution = BY_RESOLUTION[resolution as Resolution];
  const special = byResolution ?? BY_KIND[kind as ErrorKind];
  const test = byResolution ? `error.resolution === "${resolution}"` : `error.kind === "${kind}"`;
  const handled = special ? [`if (${test}) {`, ...special.map((one) => INDENT + one), "} else {", INDENT + SHOW, "}"] : [SHOW];
  return [
    "try {",
    INDENT + line,
    "} catch (error) {",
    `${INDENT}if (!isRemitError(error)) throw error;`,
    ...handled.map((one) => INDENT + one),
    "}",
  ].join("\n");
}

const ON_EVENT: Record<CardFormEvent["type"], string> = {
  READY: 'form.on("READY", () => hidePlaceholder());',
  LOAD_FAILED: 'form.on("LOAD_FAILED", ({ reason }) => offerAnotherWay(reason));',
  CARD_VALIDATION_START: 'form.on("CARD_VALIDATION_START", () => holdTheRest());',
  CARD_VALIDATION_STOP_SUCCESS: "const { cardId } = await form.completed;",
  CARD_VALIDATION_STOP_FAIL: 'form.on("CARD_VALIDATION_STOP_FAIL", () => show("This card could not be verified."));',
  CARD_VALIDATION_STOP_EXPIRED: 'form.on("CARD_VALIDATION_STOP_EXPIRED", () => form.renew());',
};

/** What a page does when the card form says this. */
export function eventCode(event: string): string | undefined {
  return ON_EVENT[event as CardFormEvent["type"]];
}

/** A request and its reply, as they went over the wire, without what is nobody's business. */
export function exchangeText(exchange: Exchange, shown: Shown): string {
  const { method, status } = exchange;
  const headers = Object.entries(headersOf(exchange)).map(([name, value]) => `${name}: ${value}`);
  const body = (value: unknown) => (value === undefined ? [] : ["", JSON.stringify(redacted(value, shown), undefined, 2)]);
  const reply = ["", `→ ${status || "no reply"}`, ...body(exchange.reply)];
  return [`${method} ${redactedUrl(exchange.url, shown)}`, ...headers, ...body(exchange.body), ...reply].join("\n");
}

/** The same request by hand. `$TOKEN` is a token that the backend has asked for. */
export function curlCode(exchange: Exchange, shown: Shown): string {
  const { method, url, body } = exchange;
  const headers = Object.entries(headersOf(exchange)).map(([name, value]) => `-H "${name}: ${value}"`);
  const data = body === undefined ? [] : [`-d ${quoted(JSON.stringify(redacted(body, shown)))}`];
  return [`curl -X ${method} ${quoted(redactedUrl(url, shown))}`, ...headers, ...data].join(" \\\n  ");
}

function headersOf({ headers }: Exchange): Record<string, string> {
  const { authorization, ...others } = headers;
  return authorization === undefined ? others : { authorization: "Bearer $TOKEN", ...others };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
