import type { CardFormEvent, ErrorKind, Resolution } from "remitkit";
import type { Exchange, RecordedCall, Run } from "./recorder";
import { isRecord, redacted, redactedUrl } from "./redact";

/** Texts that are shown although they stand where private data could, as they cause an error. */
export type Shown = ReadonlySet<string>;

export interface CallCode {
  before: string;
  code: string;
  /** The call alone, for a `try` block. */
  line: string;
}

/** Code that is written as it is, without quotes. */
class Verbatim {
  constructor(readonly text: string) {}
}

/** Comments on the kits that are not the customer's. */
const KITS: Record<string, string> = {
  client: "its token names no sender",
  business: "its sender is a business",
  otherClient: "its token is another client's",
  traveller: "its tokens follow the sandbox's clock",
  newSender: "its sender was made for this",
  impatient: "made with timeoutMs: 400",
};
const INDENT = "  ";
const MAX_WIDTH = 64;

export function callCode({ call, originOf }: Run, shown: Shown): CallCode | undefined {
  if (!call) return undefined;
  const isForm = call.operation === "cardForm";
  /** The call that each name in the code comes from. */
  const names = new Map<string, RecordedCall>();
  const before = new Map<RecordedCall, string>();

  // Replaces ids by the names that earlier results give them.
  const linked = (value: unknown): unknown => {
    if (value instanceof Element) return new Verbatim('"#card"');
    if (value instanceof AbortSignal) return undefined;
    if (Array.isArray(value)) return value.map(linked);
    if (isRecord(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, linked(member)]));
    }
    const origin = typeof value === "string" ? originOf(value) : undefined;
    if (!origin || origin.call.number >= call.number) return value;
    if ((names.get(origin.member) ?? origin.call) !== origin.call) return value;
    names.set(origin.member, origin.call);
    if (!before.has(origin.call)) before.set(origin.call, invocation(origin.call, argumentsOf(origin.call)));
    return new Verbatim(origin.member);
  };
  const argumentsOf = ({ args }: RecordedCall): unknown[] => {
    const written = args.map((arg) => redacted(linked(arg), shown));
    while (written.length > 0 && ["{}", "undefined"].includes(literal(written.at(-1)))) written.pop();
    return written;
  };

  const args = argumentsOf(call);
  const lines = call.as ? [`// ${call.as}Kit: ${KITS[call.as] ?? "another kit"}`] : [];
  const request = args.at(-1);
  if (!isForm && isRecord(request)) {
    lines.push(`const request = ${literal(request)};`);
    args.splice(-1, 1, new Verbatim("request"));
  }
  const line = `await ${invocation(call, args)};`;
  lines.push(isForm ? `const form = ${line}` : line);
  const earlier = [...before].map(([source, text]) => {
    const own = [...names].filter(([, from]) => from === source).map(([name]) => name);
    return `const { ${own.join(", ")} } = await ${text};`;
  });
  return {
    before: earlier.join("\n"),
    code: lines.join("\n"),
    line: isForm ? "const { cardId } = await form.completed;" : line,
  };
}

function invocation({ as, operation }: RecordedCall, args: unknown[]): string {
  return `${as ? `${as}Kit` : "remit"}.${operation}(${args.map((arg) => literal(arg)).join(", ")})`;
}

/** Writes a value as source code, on one line if it is short. */
function literal(value: unknown, margin = ""): string {
  const inner = margin + INDENT;
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return bracketed("[", "]", value.map((item) => literal(item, inner)), margin);
  if (!isRecord(value)) return value === undefined ? "undefined" : JSON.stringify(value);
  const isEmpty = (member: unknown) => isRecord(member) && Object.keys(member).length === 0;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && !isEmpty(member));
  const written = members.map(([name, member]) => {
    const text = literal(member, inner);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return name === text ? name : `${key}: ${text}`;
  });
  return bracketed("{ ", " }", written, margin);
}

function bracketed(open: string, close: string, items: string[], margin: string): string {
  if (items.length === 0) return open.trim() + close.trim();
  const line = open + items.join(", ") + close;
  if (line.length <= MAX_WIDTH && !line.includes("\n")) return line;
  const lines = items.map((item) => `${margin}${INDENT}${item},`);
  return [open.trim(), ...lines, margin + close.trim()].join("\n");
}

const SHOW = "show(error.message);";
/** What a page does about an error. The functions that it calls are the page's own. */
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
  resume_attempt: [
    "// Never send another transfer: find out the outcome of this one.",
    "const transfer = await error.attempt?.resume();",
  ],
  read_the_transfer: ["show(await remit.transfers()); // it was done already"],
};
const BY_KIND: Partial<Record<ErrorKind, string[]>> = {
  field: ["for (const { fieldId, message } of error.problems ?? []) showAtField(fieldId, message);"],
  authentication: ["askToSignIn(); // the SDK has asked for a fresh token already"],
  aborted: ["return; // the page itself ended the call"],
  timeout: ["offerAgain(); // the SDK has tried as often as is safe"],
  unavailable: ["offerAgain(error.retryAfterMs); // the SDK has tried as often as is safe"],
};

interface Handled {
  kind: string;
  resolution?: string | undefined;
}

/** Writes the `try` and `catch` of a call for an error, by its resolution, else by its kind. */
export function catchCode(line: string, { kind, resolution }: Handled): string {
  const byResolution = BY_RESOLUTION[resolution as Resolution];
  const special = byResolution ?? BY_KIND[kind as ErrorKind];
  const test = byResolution ? `error.resolution === "${resolution}"` : `error.kind === "${kind}"`;
  const indented = (lines: string[]) => lines.map((text) => INDENT + text);
  const handled = special ? [`if (${test}) {`, ...indented(special), "} else {", INDENT + SHOW, "}"] : [SHOW];
  const handler = indented(["if (!isRemitError(error)) throw error;", ...handled]);
  return ["try {", INDENT + line, "} catch (error) {", ...handler, "}"].join("\n");
}

const EVENT_CODE: Record<CardFormEvent["type"], string> = {
  READY: 'form.on("READY", () => hidePlaceholder());',
  LOAD_FAILED: 'form.on("LOAD_FAILED", ({ reason }) => offerAnotherWay(reason));',
  CARD_VALIDATION_START: 'form.on("CARD_VALIDATION_START", () => holdTheRest());',
  CARD_VALIDATION_STOP_SUCCESS: "const { cardId } = await form.completed;",
  CARD_VALIDATION_STOP_FAIL:
    'form.on("CARD_VALIDATION_STOP_FAIL", () => show("This card could not be verified."));',
  CARD_VALIDATION_STOP_EXPIRED: 'form.on("CARD_VALIDATION_STOP_EXPIRED", () => form.renew());',
};

export function eventCode(event: string): string | undefined {
  return EVENT_CODE[event as CardFormEvent["type"]];
}

/** Writes a request and its reply as they went over the wire, redacted. */
export function exchangeText(exchange: Exchange, shown: Shown): string {
  const { method, status, url } = exchange;
  const headers = headersOf(exchange).map(([name, value]) => `${name}: ${value}`);
  const json = (value: unknown) =>
    value === undefined ? [] : ["", JSON.stringify(redacted(value, shown), undefined, 2)];
  const reply = ["", `→ ${status || "no reply"}`, ...json(exchange.reply)];
  return [`${method} ${redactedUrl(url, shown)}`, ...headers, ...json(exchange.body), ...reply].join("\n");
}

/** Writes a request as a curl command; `$TOKEN` stands for a token from the backend. */
export function curlCode(exchange: Exchange, shown: Shown): string {
  const { method, url, body } = exchange;
  const headers = headersOf(exchange).map(([name, value]) => `-H "${name}: ${value}"`);
  const data = body === undefined ? [] : [`-d ${shellQuoted(JSON.stringify(redacted(body, shown)))}`];
  return [`curl -X ${method} ${shellQuoted(redactedUrl(url, shown))}`, ...headers, ...data].join(" \\\n  ");
}

function headersOf({ headers: { authorization, ...others } }: Exchange): [string, string][] {
  return Object.entries(authorization ? { authorization: "Bearer $TOKEN", ...others } : others);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
