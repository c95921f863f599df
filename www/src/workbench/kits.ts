import { createRemitKit, type RemitKit, type RemitKitOptions, type SenderToken } from "remitkit";
import { connectSandbox, sandboxClients, sandboxSenders, type Sandbox } from "remitkit/testing";
import { PromiseCache } from "../promise_cache";
import { readConfig, tokenSource } from "../remit";
import { Recorder } from "./recorder";
import { Trace } from "./trace";

/**
 * Who calls besides the customer, as code explains it. Those with a `senderId` get tokens from the sandbox: the
 * shop's backend has one sender, and does not know of a moved clock.
 */
export const CALLERS = {
  client: { about: "its token names no sender", senderId: null },
  business: { about: "its sender is a business", senderId: sandboxSenders.business },
  otherClient: { about: "its token is another client's", senderId: sandboxSenders.foreign },
  traveller: { about: "its tokens follow the sandbox's clock", senderId: sandboxSenders.person },
  newSender: { about: "its sender was made for this", senderId: undefined },
  impatient: { about: "made with timeoutMs: 400", senderId: undefined },
};

export type Caller = keyof typeof CALLERS;

/** An instance of the SDK for the customer and each other caller, with its calls recorded and traced. */
export class Kits {
  readonly trace = new Trace();
  readonly recorder = new Recorder();
  readonly #kits = new PromiseCache<RemitKit>();

  of(caller?: Caller): Promise<RemitKit> {
    return this.#kits.get(caller ?? "customer", () => this.create(caller));
  }

  /** Returns the source of a caller's tokens: the shop's backend, or the sandbox. */
  async tokens(caller?: Caller): Promise<() => Promise<SenderToken>> {
    const senderId = caller && CALLERS[caller].senderId;
    if (senderId === undefined) return tokenSource();
    const sandbox = await this.sandbox(caller === "otherClient" ? 1 : 0);
    return () => sandbox.token(senderId);
  }

  /** Creates an instance, which the caller destroys; code calls it `as`. */
  async create(as?: Caller, options: Partial<RemitKitOptions> = {}): Promise<RemitKit> {
    const { baseUrl, cardUrl } = await readConfig();
    const remit = await createRemitKit({
      baseUrl,
      cardUrl,
      locale: "en-US",
      // Experiments must not end up among the customer's interrupted transfers.
      journal: "memory",
      timeoutMs: as === "impatient" ? 400 : undefined,
      token: await this.tokens(as),
      ...options,
      onDiagnostic: (entry) => this.trace.request(entry),
    });
    return new Proxy(remit, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          const operation = String(name);
          this.recorder.record({ operation, as, args });
          const result: unknown = Reflect.apply(member, target, args);
          return result instanceof Promise ? this.trace.call(operation, result, as) : result;
        };
      },
    });
  }

  async sandbox(client: 0 | 1 = 0): Promise<Sandbox> {
    const { baseUrl, cardUrl } = await readConfig();
    return connectSandbox({ baseUrl, cardUrl, senderId: sandboxSenders.person, ...sandboxClients[client] });
  }
}
