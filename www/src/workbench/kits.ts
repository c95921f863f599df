import { createRemitKit, type RemitKit, type RemitKitOptions } from "remitkit";
import { connectSandbox, sandboxClients, sandboxSenders, type Sandbox } from "remitkit/testing";
import { PromiseCache } from "../promise_cache";
import { readConfig, tokenSource } from "../remit";
import { Recorder } from "./recorder";
import { Trace } from "./trace";

/**
 * Whose tokens a kit uses. Only "customer" gets them from the shop's backend. A "traveller" is the customer
 * with tokens straight from the sandbox, whose moved clock the backend does not know.
 */
export type Caller = "customer" | "traveller" | "client" | "business" | "otherClient";

const SENDERS: Record<Exclude<Caller, "customer">, string | null> = {
  traveller: sandboxSenders.person,
  client: null,
  business: sandboxSenders.business,
  otherClient: sandboxSenders.foreign,
};

/** An instance of the SDK for each caller, with its calls recorded and traced. */
export class Kits {
  readonly trace = new Trace();
  readonly recorder = new Recorder();
  readonly #kits = new PromiseCache<RemitKit>();

  of(caller: Caller): Promise<RemitKit> {
    return this.#kits.get(caller, async () => {
      if (caller === "customer") return this.create(undefined, {});
      const sandbox = await this.sandbox(caller === "otherClient" ? 1 : 0);
      return this.create(caller, { token: () => sandbox.token(SENDERS[caller]) });
    });
  }

  /** Creates an instance with its own options, which the caller destroys; code calls it `as`. */
  async create(as: string | undefined, options: Partial<RemitKitOptions>): Promise<RemitKit> {
    const { baseUrl, cardUrl } = await readConfig();
    this.recorder.baseUrl = baseUrl;
    const remit = await createRemitKit({
      baseUrl,
      cardUrl,
      locale: "en-US",
      // Experiments must not end up among the customer's interrupted transfers.
      journal: "memory",
      token: tokenSource(),
      ...options,
      onDiagnostic: (entry) => this.trace.request(entry),
    });
    return this.#recorded(remit, as);
  }

  /** Connects to the service's sandbox as one of its two clients. */
  async sandbox(client: 0 | 1 = 0): Promise<Sandbox> {
    const { baseUrl, cardUrl } = await readConfig();
    const senderId = client === 0 ? sandboxSenders.person : sandboxSenders.foreign;
    return connectSandbox({ baseUrl, cardUrl, senderId, ...sandboxClients[client] });
  }

  #recorded(remit: RemitKit, as: string | undefined): RemitKit {
    return new Proxy(remit, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          const operation = String(name);
          this.recorder.record({ operation, as, args });
          const result: unknown = Reflect.apply(member, target, args);
          return result instanceof Promise ? this.trace.call(operation, as, result) : result;
        };
      },
    });
  }
}
