import { isRemitError, type RawRequest, type RemitKit } from "remitkit";
import { readConfig, tokenSource } from "../../remit";
import { codesOf, type Bench, type Facts } from "./scenario";

/** Sends a request without the SDK's checks. */
export type Raw = () => Promise<Facts | void>;

/**
 * Makes a call of the SDK that should fail with `code`. If the SDK itself prevents the faulty request, `raw`
 * sends it, and the facts tell both results.
 */
export async function callThenRaw(code: string, call: () => Promise<unknown>, raw?: Raw): Promise<Facts> {
  let facts: Facts = { "sdk.outcome": "done" };
  try {
    await call();
  } catch (error) {
    if (!isRemitError(error) || codesOf(error).includes(code) || !raw) throw error;
    const { kind, message, resolution = "", retryable } = error;
    const own = Object.entries({ code: error.code, kind, message, resolution, retryable });
    facts = Object.fromEntries(own.map(([name, value]) => [`sdk.${name}`, value]));
  }
  return { ...facts, ...(await raw?.()) };
}

/** Sends a request by a call of the SDK that does not check it. */
export async function rawRequest(remit: RemitKit, request: RawRequest): Promise<void> {
  await remit.request(request);
}

/** Sends a faulty transfer without the SDK, which would prevent it. */
export async function rawTransfer({ remit, trace }: Bench, transfer: object): Promise<Facts> {
  const [{ baseUrl }, { access_token: token }, { nonce }] = await Promise.all([
    readConfig(),
    tokenSource()(),
    remit.nonce(),
  ]);
  const reply = await fetch(`${baseUrl}/v1/transfers`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ nonce, ...transfer }),
  });
  const [problem] = (await reply.json()) as { code?: string; message?: string }[];
  const { code = "", message = "" } = problem ?? {};
  trace.action("raw", { status: reply.status, code });
  return { "service.httpStatus": reply.status, "service.code": code, "service.message": message };
}
