export interface Exchange {
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
  operation: string;
  /** The caller, if it is not the customer. */
  as: string | undefined;
  args: readonly unknown[];
}

/** The last call, and its requests. The calls before it prepare it. */
export interface Run {
  call?: RecordedCall;
  exchanges: Exchange[];
}

const MAX_REPLY_LENGTH = 100_000;
const READ_TIMEOUT_MS = 500;
/** Operations that no scenario is about. */
const IGNORED = new Set(["nonce", "destroy", "cardFormUrl", "contentSecurityPolicy"]);

/** Keeps the SDK's last call and its requests in memory, so that they can be shown as code. */
export class Recorder {
  /** The service whose requests are recorded. */
  baseUrl: string | undefined;
  #run: Run = { exchanges: [] };

  constructor() {
    const { fetch } = globalThis;
    globalThis.fetch = async (target, init) => {
      const request = new Request(target, init);
      const exchange = this.#isRecorded(request) ? await this.#start(request) : undefined;
      const reply = await fetch(request);
      if (exchange) {
        exchange.status = reply.status;
        exchange.read = readInto(exchange, reply.clone());
      }
      return reply;
    };
  }

  clear(): void {
    this.#run = { exchanges: [] };
  }

  /** Records a call before it is made. */
  record(call: RecordedCall): void {
    if (!IGNORED.has(call.operation)) this.#run = { call, exchanges: [] };
  }

  async run(): Promise<Run> {
    const run = this.#run;
    const timeout = new Promise((resolve) => setTimeout(resolve, READ_TIMEOUT_MS));
    await Promise.race([Promise.allSettled(run.exchanges.map(({ read }) => read)), timeout]);
    return run;
  }

  /** Requests that control the sandbox are no part of a run. */
  #isRecorded({ url }: Request): boolean {
    return this.baseUrl !== undefined && url.startsWith(this.baseUrl) && !/\/(sandbox|oauth)\//.test(url);
  }

  async #start(request: Request): Promise<Exchange> {
    const { exchanges } = this.#run;
    const body = await request.clone().text();
    const headers = Object.fromEntries(request.headers);
    const { url, method } = request;
    const open = { status: 0, reply: undefined, read: Promise.resolve() };
    const exchange = { url, method, headers, body: body === "" ? undefined : parsed(body), ...open };
    exchanges.push(exchange);
    return exchange;
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
