export interface Exchange {
  number: number;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
  /** 0 while there is no reply. */
  status: number;
  reply: unknown;
  read: Promise<void>;
}

export interface RecordedCall {
  number: number;
  operation: string;
  /** The caller, if it is not the customer. */
  as: string | undefined;
  args: readonly unknown[];
}

export interface Run {
  /** The last call; those before it prepare it. */
  call: RecordedCall | undefined;
  exchanges: readonly Exchange[];
}

const MAX_ENTRIES = 300;
const MAX_REPLY_LENGTH = 100_000;
const READ_TIMEOUT_MS = 500;
/** Operations that no scenario is about. */
const IGNORED = new Set(["nonce", "destroy", "cardFormUrl", "contentSecurityPolicy"]);

/** Keeps the SDK's calls and requests in memory, so that a run can be shown as code. */
export class Recorder {
  #calls: RecordedCall[] = [];
  #exchanges: Exchange[] = [];
  #number = 0;
  #isWatching = false;

  get position(): number {
    return this.#number;
  }

  /** Records a call before it is made. */
  record(operation: string, as: string | undefined, args: readonly unknown[]): void {
    if (IGNORED.has(operation)) return;
    this.#calls = [...this.#calls.slice(-MAX_ENTRIES), { number: this.#nextNumber(), operation, as, args }];
  }

  watchRequests(baseUrl: string): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const original = globalThis.fetch;
    globalThis.fetch = async (target, init) => {
      const request = new Request(target, init);
      const { url } = request;
      // Requests that control the sandbox are no part of a run.
      const isRecorded = url.startsWith(baseUrl) && !/\/(sandbox|oauth)\//.test(url);
      const exchange = isRecorded ? this.#startExchange(request, await request.clone().text()) : undefined;
      const reply = await original.call(globalThis, request);
      if (exchange) {
        exchange.status = reply.status;
        exchange.read = readInto(exchange, reply.clone());
      }
      return reply;
    };
  }

  async runSince(position: number): Promise<Run> {
    const call = this.#calls.findLast(({ number }) => number > position);
    const exchanges = call ? this.#exchanges.filter(({ number }) => number > call.number) : [];
    const timeout = new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS));
    await Promise.race([Promise.allSettled(exchanges.map(({ read }) => read)), timeout]);
    return { call, exchanges };
  }

  #startExchange({ url, method, headers }: Request, body: string): Exchange {
    const exchange: Exchange = {
      number: this.#nextNumber(),
      url,
      method,
      headers: Object.fromEntries(headers),
      body: body === "" ? undefined : parsed(body),
      status: 0,
      reply: undefined,
      read: Promise.resolve(),
    };
    this.#exchanges = [...this.#exchanges.slice(-MAX_ENTRIES), exchange];
    return exchange;
  }

  #nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }
}

async function readInto(exchange: Exchange, reply: Response): Promise<void> {
  try {
    const text = await reply.text();
    exchange.reply = text.length > MAX_REPLY_LENGTH ? `<${text.length} characters>` : parsed(text);
  } catch {
    exchange.reply = "<truncated>";
  }
}

/** Parses JSON; any other text may contain anything and is left out. */
function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return `<no JSON, ${text.length} characters>`;
  }
}
