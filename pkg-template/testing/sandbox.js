import { failure, invalid } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { makePublic } from "../module/public-object.js";

const ADDRESSES = ["baseUrl", "cardUrl", "senderId", "clientId", "clientSecret"];
/** The environment variable by which `sandboxGlobalSetup` passes the addresses to the runner's workers. */
export const ADDRESSES_VARIABLE = "REMITKIT_SANDBOX_ADDRESSES";

export function connectSandbox(addresses) {
  return new Sandbox(readAddresses(addresses ?? fromEnvironment()));
}

function fromEnvironment() {
  const text = globalThis.process?.env?.[ADDRESSES_VARIABLE];
  if (!text) {
    const message =
      "connectSandbox needs the addresses of a running sandbox. Hand them over, or let sandboxGlobalSetup " +
      `of remitkit/testing start one, which leaves them in ${ADDRESSES_VARIABLE}.`;
    throw failure("InvalidConfiguration", message, { option: "addresses" });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid("InvalidConfiguration", ADDRESSES_VARIABLE, "what sandboxGlobalSetup has put there", {
      cause,
    });
  }
}

export function readAddresses(addresses) {
  if (typeof addresses !== "object" || addresses === null) {
    throw invalid("InvalidConfiguration", "addresses", "an object");
  }
  const missing = ADDRESSES.find((name) => typeof addresses[name] !== "string" || addresses[name] === "");
  if (missing !== undefined) {
    throw invalid("InvalidConfiguration", `addresses.${missing}`, "a text, as startSandbox gives it");
  }
  return Object.fromEntries(ADDRESSES.map((name) => [name, addresses[name]]));
}

/** Returns a time as the sandbox reads it. */
export function readTime(time, option, code) {
  const date = new Date(time);
  if (typeof time === "boolean" || time === null || Number.isNaN(date.getTime())) {
    throw invalid(code, option, "a Date, or what one can be made of");
  }
  return date.toISOString();
}

/** A running sandbox: its addresses, and the calls that control and inspect it. */
export class Sandbox {
  #addresses;

  clock = Object.freeze({
    now: async () => new Date((await this.#ask("GET", "clock")).now),
    advance: async (ms) => {
      if (!(Number.isFinite(ms) && ms >= 0)) {
        throw invalid("InvalidRequest", "ms", "a number of milliseconds, not negative");
      }
      return this.#changeClock({ advanceSeconds: Math.ceil(ms / 1000) });
    },
    set: (time) => this.#changeClock({ now: readTime(time, "time", "InvalidRequest") }),
    freeze: () => this.#changeClock({ frozen: true }),
    resume: () => this.#changeClock({ frozen: false }),
  });

  faults = Object.freeze({
    add: async (...faults) => (await this.#ask("POST", "faults", { faults })).faults,
    list: async () => (await this.#ask("GET", "faults")).faults,
    clear: () => this.#ask("DELETE", "faults"),
  });

  cardSessions = Object.freeze({
    list: () => this.#ask("GET", "card-sessions"),
    next: async (...behaviours) => {
      for (const behaviour of behaviours) await this.#ask("POST", "card-sessions", { behaviour });
    },
  });

  webhooks = Object.freeze({
    list: async () => (await this.#ask("GET", "webhooks")).deliveries,
    deliver: async (transferId, { delayMs, ...options } = {}) => {
      const body = { transferId, delayMilliseconds: delayMs, ...options };
      return (await this.#ask("POST", "webhooks", body)).deliveries;
    },
  });

  constructor(addresses) {
    this.#addresses = addresses;
    makePublic(this);
    ADDRESSES.forEach((name) => Object.defineProperty(this, name, { __proto__: null, value: addresses[name] }));
  }

  async token(senderId = this.senderId) {
    return this.#send("POST", "/v1/oauth/token", {
      client_id: this.clientId,
      client_secret: this.clientSecret,
      audience: this.baseUrl,
      grant_type: "client_credentials",
      ...(senderId === null ? {} : { sender_id: senderId }),
    });
  }

  async requests(options = {}) {
    const { after = 0 } = readKnown(options, ["after"]);
    return (await this.#ask("GET", `requests?after=${after}`)).requests;
  }

  forgetRequests() {
    return this.#ask("DELETE", "requests");
  }

  transfers() {
    return this.#ask("GET", "transfers");
  }

  async releaseTransfer(transferId) {
    await this.#ask("POST", `transfers/${encodeURIComponent(transferId)}/release`);
  }

  async failTransfer(transferId, options = {}) {
    const body = readKnown(options, ["reason", "afterSeconds"]);
    await this.#ask("POST", `transfers/${encodeURIComponent(transferId)}/fail`, body);
  }

  async snapshot() {
    return (await this.#ask("POST", "snapshots")).snapshotId;
  }

  async restore(snapshotId) {
    await this.#ask("POST", `snapshots/${encodeURIComponent(snapshotId)}/restore`);
  }

  addCorridors(config) {
    return this.#ask("POST", "corridors", config);
  }

  async addCard(card) {
    await this.#ask("POST", "cards", card);
  }

  async moveRate(currencyIso3Code, millionths) {
    await this.#ask("POST", "rates", { currencyIso3Code, millionths });
  }

  async moveFee(transferMethod, cents) {
    await this.#ask("POST", "fees", { transferMethod, cents });
  }

  async setLifetimes(lifetimes) {
    await this.#ask("POST", "lifetimes", lifetimes);
  }

  async setLimits(limits, senderId = this.senderId) {
    await this.#ask("POST", "limits", { senderId, limits });
  }

  async setBalance(cents, clientId = this.clientId) {
    await this.#ask("POST", "balance", { clientId, cents });
  }

  async reset() {
    await this.#ask("POST", "reset");
  }

  toJSON() {
    return { ...this.#addresses };
  }

  async #changeClock(change) {
    return new Date((await this.#ask("POST", "clock", change)).now);
  }

  #ask(method, path, body) {
    return this.#send(method, `/sandbox/${path}`, body);
  }

  // No signal: jsdom replaces AbortSignal, and Node's fetch refuses jsdom's.
  async #send(method, path, body) {
    let reply;
    let text;
    try {
      reply = await fetch(this.baseUrl + path, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
      text = await reply.text();
    } catch (cause) {
      throw failure("NetworkFailure", `The sandbox at ${this.baseUrl} does not answer.`, { cause });
    }
    const data = readJson(text);
    if (!reply.ok) {
      const message = `The sandbox refused ${method} ${path}: ${reasonOf(data)}`;
      throw failure("InvalidRequest", message, { httpStatus: reply.status });
    }
    return data;
  }
}

function readJson(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Reads a list of problems, one problem, or an OAuth error.
function reasonOf(data) {
  const problem = Array.isArray(data) ? data[0] : data;
  return problem?.description ?? problem?.error_description ?? problem?.message ?? "it does not say why.";
}
