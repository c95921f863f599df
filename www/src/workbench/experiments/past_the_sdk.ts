import { isRemitError, type RawRequest, type RemitKit } from "remitkit";
import { readAddresses, tokenSource } from "../../remit";
import { codesOf, type Bench, type Facts } from "./experiment";

/**
 * Makes a call of the SDK. If that does not reach the service's own code, because the SDK finds or corrects
 * something before it sends anything, `past` sends the same without the SDK's checks.
 */
export async function pastTheSdk(code: string, call: () => Promise<unknown>, past: (() => Promise<Facts>) | undefined): Promise<Facts> {
  let sdk: Facts = { "sdk.outcome": "done" };
  try {
    await call();
  } catch (error) {
    if (!isRemitError(error) || codesOf(error).includes(code) || !past) throw error;
    const { code: own, kind, message, resolution = "", retryable } = error;
    sdk = { "sdk.code": own, "sdk.kind": kind, "sdk.message": message, "sdk.resolution": resolution, "sdk.retryable": retryable };
  }
  return past ? { ...sdk, ...(await past()) } : sdk;
}

/** The SDK's way for requests that it has no method for, which it does not check. */
export async function rawRequest(remit: RemitKit, request: RawRequest): Promise<Facts> {
  await remit.request(request);
  return {};
}

/** A transfer as it must not be sent: the SDK makes one in its own way alone. */
export async function rawTransfer({ remit, trace }: Bench, transfer: object): Promise<Facts> {
  const [{ baseUrl }, { access_token: token }, { nonce }] = await Promise.all([readAddresses(), tokenSource()(), remit.nonce()]);
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
