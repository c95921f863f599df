/** A request to the service, and what came back. */
export interface Exchange {
  number: number;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
  /** 0 while there is no reply. */
  status: number;
  reply: unknown;
  /** Settles when the reply has been read. */
  read: Promise<void>;
}

/** A call of the SDK. */
export interface RecordedCall {
  number: number;
  operation: string;
  /** Whose token it was made with, where it was not the customer's. */
  as: string | undefined;
  args: readonly unknown[];
}

/** What one experiment did. */
export interface Run {
  /** The call that shows it; the ones before lead to it. */
  call: RecordedCall | undefined;
  /** The requests of that call, oldest first. */
  exchanges: readonly Exchange[];
  /** Which member of which earlier call's result a text is. */
  origin: (text: string) => { call: RecordedCall; member: string } | undefined;
}

const KEPT = 300;
const LONGEST_REPLY = 100_000;
const READ_WITHIN_MS = 500;
// What no experiment is about.
const BESIDE = new Set(["nonce", "destroy"]);
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Keeps the SDK's calls and what they sent in the page's memory, so that a run can be shown as code. */
export class Recorder {
  #calls: RecordedCall[] = [];
  #exchanges: Exchange[] = [];
  readonly #origins = new Map<string, { call: RecordedCall; member: string }>();
  #last = 0;
  #isWatching = false;

  /** Where the next run begins. */
  get mark(): number {
    return this.#last;
  }

  /** Numbers a call before it is made: what it sends comes after it. */
  begin(operation: string, as: string | undefined, args: readonly unknown[]): RecordedCall {
    return { number: this.#next(), operation, as, args };
  }

  /** Keeps a call; what it gives can be named from now on. */
  follow<Result>(call: RecordedCall, work: Promise<Result>): Promise<Result> {
    this.#calls = [...this.#calls.slice(-KEPT), call];
    work.then((result) => this.#remember(call, result), () => {});
    return work;
  }

  /** Notes each request to the service from now on; the reply is handed on as it came. */
  watch(baseUrl: string): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const engine = globalThis.fetch;
    globalThis.fetch = async (target, init) => {
      const exchange = this.#begin(baseUrl, target, init);
      const reply = await engine.call(globalThis, target, init);
      if (exchange) {
        exchange.status = reply.status;
        exchange.read = readInto(exchange, reply.clone());
      }
      return reply;
    };
  }

  /** What happened since `mark`. */
  async since(mark: number): Promise<Run> {
    const call = this.#calls.filter(({ number, operation }) => number > mark && !BESIDE.has(operation)).at(-1);
    const exchanges = call ? this.#exchanges.filter(({ number }) => number > call.number) : [];
    await Promise.race([Promise.allSettled(exchanges.map(({ read }) => read)), new Promise((resolve) => setTimeout(resolve, READ_WITHIN_MS))]);
    return { call, exchanges, origin: (text) => this.#origins.get(text) };
  }

  #begin(baseUrl: string, target: RequestInfo | URL, init: RequestInit | undefined): Exchange | undefined {
    const url = target instanceof Request ? target.url : String(target);
    // The sandbox is steered and asked for tokens beside the SDK.
    if (!url.startsWith(baseUrl) || /\/(sandbox|oauth)\//.test(url)) return undefined;
    const exchange: Exchange = {
      number: this.#next(),
      url,
      method: init?.method ?? "GET",
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === "string" ? parsed(init.body) : undefined,
      status: 0,
      reply: undefined,
      read: Promise.resolve(),
    };
    this.#exchanges = [...this.#exchanges.slice(-KEPT), exchange];
    return exchange;
  }

  #remember(call: RecordedCall, result: unknown): void {
    if (typeof result !== "object" || result === null) return;
    for (const [member, value] of Object.entries(result)) {
      if (typeof value === "string" && UUID.test(value) && !this.#origins.has(value)) this.#origins.set(value, { call, member });
    }
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }
}

async function readInto(exchange: Exchange, reply: Response): Promise<void> {
  try {
    const text = await reply.text();
    exchange.reply = text.length > LONGEST_REPLY ? `<${text.length} characters>` : parsed(text);
  } catch {
    exchange.reply = "<broken off>";
  }
}

// What is no JSON may say anything.
function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return `<no JSON, ${text.length} characters>`;
  }
}
