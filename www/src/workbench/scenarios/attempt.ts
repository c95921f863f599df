import { isRemitError, type RemitKit } from "remitkit";
import { readConfig } from "../../remit";
import type { Caller } from "../kits";
import { codesOf, type Bench, type Facts } from "./scenario";

export interface Attempt {
  /** The kit that is called; by default the caller's. */
  remit?: RemitKit;
  caller?: Caller;
  /** What precedes the request. */
  args?: string[];
  request?: object | undefined;
  /** How the request is sent where the SDK prevents a faulty one, such as `POST /v1/transfers`. */
  raw?: string;
  /** Undoes what was prepared. */
  after?: () => void | Promise<unknown>;
}

export type Prepare = (bench: Bench, amount: number) => Attempt | Promise<Attempt>;
type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/**
 * Calls a method that should fail with `code`. If the SDK itself prevents the faulty request, sends it without
 * the SDK, and the facts tell both results.
 */
export async function attempt(bench: Bench, method: string, code: string, call: Attempt): Promise<Facts> {
  const { caller, args = [], request, raw, after } = call;
  const remit = call.remit ?? (await bench.kits.of(caller));
  let facts: Facts = { "sdk.outcome": "done" };
  try {
    await (remit as unknown as Methods)[method]!(...args, ...(request ? [request] : []));
  } catch (error) {
    if (!raw || !isRemitError(error) || codesOf(error).includes(code)) throw error;
    const { kind, message, resolution = "", retryable } = error;
    const own = Object.entries({ code: error.code, kind, message, resolution, retryable });
    facts = Object.fromEntries(own.map(([name, value]) => [`sdk.${name}`, value]));
  } finally {
    await after?.();
  }
  return raw && request ? { ...facts, ...(await sendRaw(bench, raw, request, caller)) } : facts;
}

async function sendRaw({ kits, remit, trace }: Bench, line: string, request: object, caller?: Caller) {
  const [method = "", path = ""] = line.split(" ");
  const { baseUrl } = await readConfig();
  const { access_token: token } = await (await kits.tokens(caller))();
  const nonce = path === "/v1/transfers" ? await remit.nonce() : {};
  const reply = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...nonce, ...request }),
  });
  const { status } = reply;
  const [problem] = (await reply.json()) as { code?: string; message?: string }[];
  const { code = "", message = "" } = problem ?? {};
  trace.action("raw", { status, code });
  return { "service.httpStatus": status, "service.code": code, "service.message": message };
}
