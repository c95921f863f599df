export interface Exchange {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
  /** 0 if there is no reply. */
  status: number;
  reply: unknown;
}

export interface RecordedCall {
  operation: string;
  /** The caller, if it is not the customer. */
  as: string | undefined;
  args: readonly unknown[];
}

/** The last call, and its requests. The calls before it prepare it. */
export interface Run {
  call: RecordedCall | undefined;
  exchanges: Exchange[];
}

interface Sent {
  request: Request;
  reply?: Response;
}

/** Operations that no scenario is about. */
const IGNORED = new Set(["nonce", "destroy", "cardFormUrl"]);

/** Keeps the SDK's last call and its requests in memory, so that they can be shown as code. */
export class Recorder {
  #call: RecordedCall | undefined;
  #sent: Sent[] = [];

  constructor() {
    const { fetch } = globalThis;
    globalThis.fetch = async (target, init) => {
      const request = new Request(target, init);
      // What controls the sandbox, or gets a token from it, is no part of a run.
      if (!/\/v1\/(?!oauth\/)/.test(request.url)) return fetch(request);
      const exchange: Sent = { request: request.clone() };
      this.#sent.push(exchange);
      const reply = await fetch(request);
      exchange.reply = reply.clone();
      return reply;
    };
  }

  /** Records a call before it is made; without one, forgets the last. */
  record(call?: RecordedCall): void {
    if (call && IGNORED.has(call.operation)) return;
    this.#call = call;
    this.#sent = [];
  }

  async run(): Promise<Run> {
    return { call: this.#call, exchanges: await Promise.all(this.#sent.map(read)) };
  }
}

async function read({ request, reply }: Sent): Promise<Exchange> {
  const { url, method } = request;
  const [body, answer] = await Promise.all([jsonOf(request), reply && jsonOf(reply)]);
  const headers = Object.fromEntries(request.headers);
  return { url, method, headers, body, status: reply?.status ?? 0, reply: answer };
}

/** Parses a body; one that is no JSON may contain anything and is left out. */
async function jsonOf(message: Request | Response): Promise<unknown> {
  let text = "";
  try {
    text = await message.clone().text();
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text ? `<no JSON, ${text.length} characters>` : "<truncated>";
  }
}
