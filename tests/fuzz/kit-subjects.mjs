// The methods of a kit that are no plain operation, and the kit's own making.

import { changed } from "./changes.mjs";
import { queryOf, read, readQuery, same, said, UNSAYABLE } from "./said.mjs";
import { ID, OTHER_ID, REQUESTS, place } from "./samples.mjs";
import { anyArguments, callOptions, cut, strayOf, transferDifference } from "./sending.mjs";
import { hostile } from "./values.mjs";

export const uuid = (chance) => `${String(chance.between(0, 99_999_999)).padStart(8, "0")}-0000-4000-8000-${String(chance.between(0, 2 ** 39)).padStart(12, "0")}`;

/** With `sample`, mostly right but for one place. */
const mostly = (sample) => (chance, world) => {
  if (chance.happens(15)) return anyArguments(chance, world);
  return [changed(sample(chance, world), chance, world), callOptions(chance, world)];
};

const onlyOptions = (chance, world) => [chance.happens(50) ? callOptions(chance, world) : hostile(chance, world)];

const ofTransfer = mostly((chance) => REQUESTS.transfer(uuid(chance)));

/** What was posted, and what the journal would post after a reload. */
function sentTransfers([request], { requests, journal }) {
  const bodies = [...journal.values()].map((entry) => JSON.parse(entry).body);
  for (const sent of requests) {
    const stray = strayOf(sent);
    if (stray !== undefined) return stray;
    if (sent.method === "POST") bodies.push(sent.body);
  }
  // Read once: what changes at the second time is not what was given.
  const input = bodies.length > 0 ? said(request) : undefined;
  return bodies.map((body) => transferDifference(input, body)).find((found) => found !== undefined);
}

const rawDifference = ([raw], { requests, outcome }) => {
  const input = said(raw);
  if ("value" in outcome && requests.length !== 1) return `${requests.length} requests for one call`;
  for (const request of requests) {
    const stray = strayOf(request);
    if (stray !== undefined) return stray;
    if (input === UNSAYABLE || input === undefined) return "a request for what cannot be said";
    const { method, path, query = null, body = null } = input;
    const isSent = request.method === method && request.path === path && same(readQuery(request.query), queryOf(query ?? {}));
    const isSame = body === null ? request.body === undefined || request.body === "null" : same(read(request.body), body);
    if (!isSent || !isSame) return `${request.method} ${request.path}?${request.query} ${cut(request.body)}`;
  }
  return undefined;
};

/** Members of a theme as the form's address has them. */
export function themeDifference(theme, url) {
  const input = theme === undefined ? {} : said(theme);
  if (input === UNSAYABLE || input === undefined) return "a theme that cannot be said";
  const wanted = queryOf(input).map(([name, text]) => [name, typeof input[name] === "boolean" ? String(Number(input[name])) : text]);
  const found = readQuery(new URL(url).search.slice(1));
  const sorted = (pairs) => pairs.map(([name, value]) => `${name}=${value}`).sort();
  return same(sorted(found), sorted(wanted)) ? undefined : `a theme became ${cut(url)}`;
}

/** Whatever the page hands to a kit besides data. */
function strangeOptions(chance, world) {
  const options = REQUESTS.options("memory");
  const answer = () => (chance.happens(30) ? hostile(chance, world, 0) : chance.pick([undefined, null, "", "x", ID]));
  const method = () => {
    const given = answer();
    return chance.happens(20) ? () => { throw given; } : chance.happens(50) ? () => given : async () => given;
  };
  const kind = chance.between(0, 9);
  if (kind < 2) {
    const token = chance.happens(50) ? changed({ access_token: "t", expires_in: 60, token_type: "bearer" }, chance, world) : hostile(chance, world);
    return { ...options, token: chance.happens(50) ? () => token : async () => token };
  }
  if (kind === 2) return { ...options, token: () => { throw hostile(chance, world, 0); } };
  if (kind < 5) {
    const store = { get: method(), set: method(), delete: method(), keys: method() };
    return { ...options, journal: chance.happens(30) ? changed(store, chance, world) : store };
  }
  if (kind === 5) return { ...options, journal: journalOf(changed(ENTRY(), chance, world)) };
  if (kind === 6) return { ...options, onDiagnostic: quietly(method()) };
  return changed(options, chance, world);
}

/** A rejection that a listener of the page makes itself is the page's own: it is not looked at here. */
function quietly(listener) {
  return (...args) => {
    const answer = listener(...args);
    if (answer instanceof Promise) answer.catch(() => {});
    return answer;
  };
}

const ENTRY = () => ({ quoteHistoryId: ID, nonce: OTHER_ID, body: "{}", createdAt: 1_768_435_200_000, state: "SENT" });

/** A journal in which somebody has written. */
function journalOf(entry) {
  const text = said(entry);
  const known = new Map([[`remitkit.attempt.${ID}`, typeof text === "object" ? JSON.stringify(text, (_, item) => (typeof item === "bigint" ? String(item) : item)) : String(text)]]);
  known.set("remitkit.attempt.x", "{").set("other", "x");
  return known;
}

/** Uses a kit in every way its options affect. Returns the errors; rejects with one that is no RemitError. */
async function use(kit, { isOurs }) {
  const errors = [];
  const attempt = async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!isOurs(error) || error.kind === "internal") throw error;
      errors.push(error);
    }
  };
  await attempt(() => kit.nonce());
  const pending = (await attempt(() => kit.pendingTransfers())) ?? [];
  for (const found of pending.slice(0, 2)) await attempt(() => found.resume());
  await attempt(() => kit.prepareTransfer(REQUESTS.transfer(OTHER_ID)));
  const policy = await attempt(() => kit.contentSecurityPolicy());
  await kit.destroy();
  return { errors, policy };
}

function optionsDifference([options], { requests, outcome }) {
  const sources = outcome.value?.policy?.["frame-src"];
  if (requests.length === 0 && sources === undefined) return undefined;
  // Each once: what changes at the second time is not what was given.
  const { baseUrl, cardUrl, token } = options;
  const address = (text) => new URL(typeof text === "string" ? text : said(text)).origin;
  const given = typeof token === "function" ? undefined : said(token);
  const bearer = typeof given === "string" ? given : given?.access_token;
  for (const request of requests) {
    if (request.origin !== address(baseUrl)) return `sent to ${request.origin}`;
    if (bearer !== undefined && request.bearer !== `Bearer ${bearer}`) return "sent with another token";
  }
  return sources === undefined || same(sources, [address(cardUrl)]) ? undefined : `frame-src became ${sources}`;
}

const flow = {
  make: mostly((chance, world) => REQUESTS.flow(world.element())),
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
      const { destinationCountry, destinationCurrency } = said(corridor);
      const asked = Object.fromEntries(readQuery(request.query));
      const isRight =
        asked.recipientType === recipientType &&
        asked.dstCountryIso3Code === destinationCountry.iso3Code &&
        destinationCurrency.some((currency) => currency.iso3Code === asked.dstCurrencyIso3Code);
      if (!isRight) return `asked for ${request.query}`;
    }
    return undefined;
  },
};

const nothingWrong = () => undefined;

/** Of a kit that is there for one input. */
const ofOwnKit = (call) => ({
  make: anyArguments,
  async call(bench, args) {
    const kit = await bench.newKit();
    const during = kit.nonce().catch(() => {});
    await call(kit, args);
    await kit.destroy();
    await during;
  },
  difference: nothingWrong,
});

export const kitSubjects = {
  createRemitKit: {
    make: (chance, world) => (chance.happens(15) ? anyArguments(chance, world) : [strangeOptions(chance, world)]),
    call: async (bench, args) => use(await bench.module.createRemitKit(...args), bench),
    difference: optionsDifference,
  },
  "RemitKit.request": { make: mostly(() => REQUESTS.raw()), call: ({ kit }, args) => kit.request(...args), difference: rawDifference },
  "RemitKit.prepareTransfer": { make: ofTransfer, call: ({ kit }, args) => kit.prepareTransfer(...args), difference: sentTransfers },
  "RemitKit.transfer": { make: ofTransfer, call: ({ kit }, args) => kit.transfer(...args), difference: sentTransfers },
  "RemitKit.pendingTransfers": { make: onlyOptions, call: ({ kit }, args) => kit.pendingTransfers(...args), difference: nothingWrong },
  "RemitKit.contentSecurityPolicy": {
    make: onlyOptions,
    call: ({ kit }, args) => kit.contentSecurityPolicy(...args),
    difference: (_, { outcome }) => (outcome.value?.["frame-src"]?.[0] === place.cardUrl ? undefined : "another policy"),
  },
  "RemitKit.cardFormUrl": {
    make(chance, world) {
      if (chance.happens(15)) return anyArguments(chance, world);
      return [chance.happens(90) ? ID : hostile(chance, world), changed(REQUESTS.theme(), chance, world)];
    },
    call: ({ kit }, args) => kit.cardFormUrl(...args),
    difference: ([, theme], { outcome }) => ("value" in outcome ? themeDifference(theme, outcome.value) : undefined),
  },
  "RemitKit.cardForm": {
    make: mostly((chance, world) => REQUESTS.cardForm(world.element())),
    async call({ kit }, args) {
      const form = await kit.cardForm(...args);
      const { url, sessionId, element } = form;
      const shown = { url, sessionId, title: element.title, height: element.style.height };
      form.destroy();
      return shown;
    },
    difference([options], { outcome }) {
      if (!("value" in outcome)) return undefined;
      const { title = "Card details", height } = options;
      const { value } = outcome;
      if (value.title !== (title ?? "Card details")) return `the title became ${cut(value.title)}`;
      if (typeof height === "number" && value.height !== `${height}px`) return `the height became ${value.height}`;
      return themeDifference(options.theme ?? undefined, value.url);
    },
  },
  "RemitKit.pushToCard": flow,
  "PushToCardFlow.next": flow,
  "PushToCardFlow.return": flow,
  "PushToCardFlow.[asyncIterator]": {
    ...flow,
    async call({ kit }, args) {
      for await (const step of kit.pushToCard(...args)) if (step.type !== "CORRIDOR") break;
    },
  },
  "RemitKit.destroy": ofOwnKit((kit, args) => kit.destroy(...args)),
  "RemitKit.[dispose]": ofOwnKit((kit, args) => {
    const key = Object.getOwnPropertySymbols(Object.getPrototypeOf(kit)).at(-1);
    return kit[key](...args);
  }),
};
