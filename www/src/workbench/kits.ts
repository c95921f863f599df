import { createRemitKit, type RemitKit, type RemitKitOptions } from "remitkit";
import { connectSandbox, sandboxClients, sandboxSenders, type Sandbox } from "remitkit/testing";
import { Kept } from "../kept";
import { currentLocale } from "../messages";
import { readAddresses, tokenSource } from "../remit";
import type { Recorder } from "./recorder";
import type { Trace } from "./trace";

/**
 * Who calls: the demo's customer, and callers that only a sandbox allows in a page. A traveller is the
 * customer with tokens straight from the sandbox, whose clock the shop's backend does not know.
 */
export type Caller = "customer" | "traveller" | "client" | "business" | "otherClient";

/** The SDK, watched, for each caller. Nothing it keeps outlives the page. */
export class Kits {
  readonly #trace: Trace;
  readonly #recorder: Recorder;
  readonly #made = new Kept<RemitKit>();

  constructor(trace: Trace, recorder: Recorder) {
    this.#trace = trace;
    this.#recorder = recorder;
  }

  customer(): Promise<RemitKit> {
    return this.of("customer");
  }

  of(caller: Caller): Promise<RemitKit> {
    return this.#made.get(`${caller} ${currentLocale()}`, async () => this.make(caller, { token: await this.#tokenOf(caller) }));
  }

  /** One with options of its own, which its user destroys. */
  async make(as: string, options: Partial<RemitKitOptions>): Promise<RemitKit> {
    const { baseUrl, cardUrl } = await readAddresses();
    this.#recorder.watch(baseUrl);
    const remit = await createRemitKit({
      baseUrl,
      cardUrl,
      locale: currentLocale(),
      // What is tried here must not be taken for a customer's own interrupted transfer.
      journal: "memory",
      token: tokenSource(),
      ...options,
      onDiagnostic: (entry) => this.#trace.request(entry),
    });
    return this.#observed(remit, as === "customer" ? undefined : as);
  }

  /** Returns the service's sandbox, with the credentials of one of its two clients, good for nothing else. */
  async sandbox(client: "first" | "other" = "first"): Promise<Sandbox> {
    const { baseUrl, cardUrl } = await readAddresses();
    const [first, other] = sandboxClients;
    const who = client === "first" ? { senderId: sandboxSenders.person, ...first } : { senderId: sandboxSenders.foreign, ...other };
    return connectSandbox({ baseUrl, cardUrl, ...who });
  }

  async #tokenOf(caller: Caller): Promise<RemitKitOptions["token"]> {
    if (caller === "customer") return tokenSource();
    const sandbox = await this.sandbox(caller === "otherClient" ? "other" : "first");
    const senderId = { traveller: sandboxSenders.person, client: null, business: sandboxSenders.business, otherClient: sandboxSenders.foreign }[caller];
    return () => sandbox.token(senderId);
  }

  /** The same kit, with each call in the trace and in the record. */
  #observed(remit: RemitKit, as: string | undefined): RemitKit {
    return new Proxy(remit, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          const call = this.#recorder.begin(String(name), as, args);
          const result: unknown = Reflect.apply(member, target, args);
          return result instanceof Promise ? this.#trace.call(String(name), as, this.#recorder.follow(call, result)) : result;
        };
      },
    });
  }
}
