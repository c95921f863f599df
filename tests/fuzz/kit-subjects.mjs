// The methods of a kit that are no plain operation, and createRemitKit.

import { changed } from "./changes.mjs";
import { asJson, parse, parseQuery, queryOf, same } from "./json.mjs";
import { ID, OTHER_ID, REQUESTS, place } from "./samples.mjs";
import { anyArguments, callOptions, cut, isUnusable, strayOf, transferDifference } from "./sending.mjs";
import { hostile } from "./values.mjs";

export const uuid = (chance) => {
  const digits = (most, length) => String(chance.between(0, most)).padStart(length, "0");
  return `${digits(99_999_999, 8)}-0000-4000-8000-${digits(2 ** 39, 12)}`;
};

/** Mostly calls with `sample`, changed in one place. */
export const mostly = (sample) => (chance, world) => {
  if (chance.happens(15)) return anyArguments(chance, world);
  return [changed(sample(chance, world), chance, world), callOptions(chance, world)];
};

export const anyOptions = (chance, world) =>
  chance.happens(50) ? callOptions(chance, world) : hostile(chance, world);
const onlyOptions = (chance, world) => [anyOptions(chance, world)];
const nothingWrong = () => undefined;
const call = (name, make, difference = nothingWrong) => ({
  make,
  call: ({ kit }, args) => kit[name](...args),
  difference,
});

/** Compares what was posted, and what the journal would post after a reload. */
function transferDifferences([request], { requests, journal }) {
  const stray = requests.map(strayOf).find((found) => found !== undefined);
  if (stray !== undefined) return stray;
  const bodies = [...journal.values()].map((entry) => JSON.parse(entry).request);
  bodies.push(...requests.filter(({ method }) => method === "POST").map(({ body }) => body));
  // Read once: what a getter returns the second time was not passed.
  const input = bodies.length > 0 ? asJson(request) : undefined;
  return bodies.map((body) => transferDifference(input, body)).find((found) => found !== undefined);
}

function rawDifference([raw], { requests, outcome }) {
  const input = asJson(raw);
  if ("value" in outcome && requests.length !== 1) return `${requests.length} requests for one call`;
  for (const request of requests) {
    const stray = strayOf(request);
    if (stray !== undefined) return stray;
    if (isUnusable(input)) return "a request for what is not JSON";
    const { method, path, query, body = null } = input;
    const isAddressed = request.method === method && request.path === path;
    const isQuery = same(parseQuery(request.query), queryOf(query ?? {}));
    const isEmpty = request.body === undefined || request.body === "null";
    const isBody = body === null ? isEmpty : same(parse(request.body), body);
    if (!isAddressed || !isQuery || !isBody) {
      return `${request.method} ${request.path}?${request.query} ${cut(request.body)}`;
    }
  }
  return undefined;
}

/** Compares a theme with the form's address. */
export function themeDifference(theme, url) {
  const input = theme === undefined ? {} : asJson(theme);
  if (isUnusable(input)) return "a theme that is not JSON";
  const text = ([name, value]) => `${name}=${typeof input[name] === "boolean" ? Number(input[name]) : value}`;
  const wanted = queryOf(input).map(text).sort();
  const found = parseQuery(new URL(url).search.slice(1)).map(([name, value]) => `${name}=${value}`).sort();
  return same(found, wanted) ? undefined : `a theme became ${cut(url)}`;
}

const ENTRY = { quoteHistoryId: ID, nonce: OTHER_ID, body: "{}", createdAt: 1_768_435_200_000, state: "SENT" };

/** Returns a journal with a foreign entry. */
function journalOf(entry) {
  const value = asJson(entry);
  const textOf = (_, item) => (typeof item === "bigint" ? String(item) : item);
  const text = typeof value === "object" ? JSON.stringify(value, textOf) : String(value);
  return new Map([[`remitkit.attempt.${ID}`, text], ["remitkit.attempt.x", "{"], ["other", "x"]]);
}

/** Makes options whose functions and stores misbehave. */
function strangeOptions(chance, world) {
  const options = REQUESTS.options("memory");
  const method = () => {
    const harmless = chance.pick([undefined, null, "", "x", ID]);
    const answer = chance.happens(30) ? hostile(chance, world, 0) : harmless;
    const thrower = () => {
      throw answer;
    };
    return chance.happens(20) ? thrower : chance.happens(50) ? () => answer : async () => answer;
  };
  const kind = chance.between(0, 9);
  if (kind < 2) {
    const reply = { access_token: "t", expires_in: 60, token_type: "bearer" };
    const token = chance.happens(50) ? changed(reply, chance, world) : hostile(chance, world);
    return { ...options, token: chance.happens(50) ? () => token : async () => token };
  }
  if (kind === 2) {
    const error = hostile(chance, world, 0);
    return { ...options, token: () => Promise.reject(error) };
  }
  if (kind < 5) {
    const store = { get: method(), set: method(), delete: method(), keys: method() };
    return { ...options, journal: chance.happens(30) ? changed(store, chance, world) : store };
  }
  if (kind === 5) return { ...options, journal: journalOf(changed(ENTRY, chance, world)) };
  if (kind === 6) return { ...options, onDiagnostic: withoutRejection(method()) };
  return changed(options, chance, world);
}

/** Catches rejections that a listener makes itself: they are not the SDK's. */
function withoutRejection(listener) {
  return (...args) => {
    const answer = listener(...args);
    if (answer instanceof Promise) answer.catch(() => {});
    return answer;
  };
}

/** Uses a kit in every way that its options affect; rejects with an error that is no RemitError. */
async function use(kit, { isOurs }) {
  const attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isOurs(error) || error.kind === "internal") throw error;
    }
  };
  await attempt(() => kit.nonce());
  const pending = (await attempt(() => kit.pendingTransfers())) ?? [];
  for (const found of pending.slice(0, 2)) await attempt(() => found.resume());
  await attempt(() => kit.prepareTransfer(REQUESTS.transfer(OTHER_ID)));
  const policy = await attempt(() => kit.contentSecurityPolicy());
  await kit.destroy();
  return policy;
}

function optionsDifference([options], { requests, outcome }) {
  const sources = outcome.value?.["frame-src"];
  if (requests.length === 0 && sources === undefined) return undefined;
  // Read once: what a getter returns the second time was not passed.
  const { baseUrl, cardUrl, token } = options;
  const originOf = (text) => new URL(typeof text === "string" ? text : asJson(text)).origin;
  const given = typeof token === "function" ? undefined : asJson(token);
  const bearer = typeof given === "string" ? given : given?.access_token;
  for (const request of requests) {
    if (request.origin !== originOf(baseUrl)) return `sent to ${request.origin}`;
    if (bearer !== undefined && request.bearer !== `Bearer ${bearer}`) return "sent with another token";
  }
  const isRight = sources === undefined || same(sources, [originOf(cardUrl)]);
  return isRight ? undefined : `frame-src became ${sources}`;
}

const flow = {
  make: mostly((_, world) => REQUESTS.flow(world.container)),
  async call({ kit }, args) {
    const steps = kit.pushToCard(...args);
    try {
      for (let step = 0; step < 3; step += 1) if ((await steps.next()).done) break;
    } finally {
      await steps.return();
    }
  },
  difference([options], { requests }) {
    for (const request of requests) {
      const stray = strayOf(request);
      if (stray !== undefined) return stray;
      if (request.path !== "/v1/recipient-account-fields") continue;
      const { corridor, recipientType = "PERSON" } = options;
      const { destinationCountry, destinationCurrency } = asJson(corridor);
      const asked = Object.fromEntries(parseQuery(request.query));
      const isRight =
        asked.recipientType === recipientType &&
        asked.dstCountryIso3Code === destinationCountry.iso3Code &&
        destinationCurrency.some((currency) => currency.iso3Code === asked.dstCurrencyIso3Code);
      if (!isRight) return `asked for ${request.query}`;
    }
    return undefined;
  },
};

/** Calls a method of another kit, while that has a call in flight. */
const onOwnKit = (method) => ({
  make: anyArguments,
  async call(bench, args) {
    const kit = await bench.newKit();
    const inFlight = kit.nonce().catch(() => {});
    await method(kit, args);
    await kit.destroy();
    await inFlight;
  },
  difference: nothingWrong,
});

const cardForm = {
  make: mostly((_, world) => REQUESTS.cardForm(world.container)),
  async call({ kit }, args) {
    const form = await kit.cardForm(...args);
    const shown = { url: form.url, title: form.element.title, height: form.element.style.height };
    form.destroy();
    return shown;
  },
  difference([options], { outcome }) {
    if (!("value" in outcome)) return undefined;
    const { title, height } = options;
    const { value } = outcome;
    if (value.title !== (title ?? "Card details")) return `the title became ${cut(value.title)}`;
    if (typeof height === "number" && value.height !== `${height}px`) return `the height became ${value.height}`;
    return themeDifference(options.theme ?? undefined, value.url);
  },
};

const ofTransfer = mostly((chance) => REQUESTS.transfer(uuid(chance)));

export const kitSubjects = {
  createRemitKit: {
    make(chance, world) {
      return chance.happens(15) ? anyArguments(chance, world) : [strangeOptions(chance, world)];
    },
    call: async (bench, args) => use(await bench.module.createRemitKit(...args), bench),
    difference: optionsDifference,
  },
  "RemitKit.request": call("request", mostly(() => REQUESTS.raw()), rawDifference),
  "RemitKit.prepareTransfer": call("prepareTransfer", ofTransfer, transferDifferences),
  "RemitKit.transfer": call("transfer", ofTransfer, transferDifferences),
  "RemitKit.pendingTransfers": call("pendingTransfers", onlyOptions),
  "RemitKit.userMessageOf": call("userMessageOf", anyArguments),
  "RemitKit.contentSecurityPolicy": call(
    "contentSecurityPolicy",
    onlyOptions,
    (_, { outcome: { value } }) => (value?.["frame-src"]?.[0] === place.cardUrl ? undefined : "another policy"),
  ),
  "RemitKit.cardFormUrl": call(
    "cardFormUrl",
    (chance, world) => {
      if (chance.happens(15)) return anyArguments(chance, world);
      return [chance.happens(90) ? ID : hostile(chance, world), changed(REQUESTS.theme(), chance, world)];
    },
    ([, theme], { outcome }) => ("value" in outcome ? themeDifference(theme, outcome.value) : undefined),
  ),
  "RemitKit.cardForm": cardForm,
  "RemitKit.pushToCard": flow,
  "PushToCardFlow.next": flow,
  "PushToCardFlow.return": flow,
  "PushToCardFlow.[asyncIterator]": {
    ...flow,
    async call({ kit }, args) {
      for await (const step of kit.pushToCard(...args)) if (step.type !== "CORRIDOR") break;
    },
  },
  "RemitKit.destroy": onOwnKit((kit, args) => kit.destroy(...args)),
  "RemitKit.[dispose]": onOwnKit((kit, args) => kit[Symbol.dispose](...args)),
};
