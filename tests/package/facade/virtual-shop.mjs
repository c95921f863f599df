// An issuer whose service, senders and clock are simulated: an hour of a shop takes seconds.

import assert from "node:assert/strict";
import { SECRET, server } from "./server.mjs";

/** Returns numbers from 0 to 1, the same for a seed (mulberry32). */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the id of the sender of this number. */
export const senderOf = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Replaces the clocks, timers and chance. Time passes in `run`, `pass` and `of`. */
export function virtualTime(t, random) {
  // The latest first.
  const timers = [];
  let now = 0;
  const start = Date.now();
  const add = (work, ms) => {
    const timer = { at: now + Math.max(Math.ceil(ms), 0), work };
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timers[middle].at > timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    return timer;
  };
  const remove = (timer) => {
    const at = timers.indexOf(timer);
    if (at >= 0) timers.splice(at, 1);
  };
  // Mocks of the test runner keep a stack for each of the millions of calls.
  const replace = (object, name, value) => {
    const own = object[name];
    object[name] = value;
    t.after(() => (object[name] = own));
  };
  replace(performance, "now", () => now);
  replace(Date, "now", () => start + now);
  replace(Math, "random", random);
  replace(globalThis, "setTimeout", (work, ms = 0, ...args) => add(() => work(...args), ms));
  replace(globalThis, "clearTimeout", remove);

  async function runUntil(end) {
    for (await turn(); timers.length > 0 && timers.at(-1).at <= end; await turn()) {
      now = timers.at(-1).at;
      while (timers.at(-1)?.at === now) timers.pop().work();
    }
  }
  return {
    now: () => now,
    /** Calls a function at a time. */
    at: (ms, work) => void add(work, ms - now),
    sleep: (ms) => new Promise((resolve) => add(resolve, ms)),
    /** Lets time pass until all is done. */
    run: () => runUntil(Infinity),
    /** Lets some time pass. */
    async pass(ms) {
      const end = now + ms;
      await runUntil(end);
      now = end;
    },
    /** Lets time pass until a promise settles; returns the promise. */
    async of(promise) {
      let isPending = true;
      const end = () => (isPending = false);
      promise.then(end, end);
      for (await turn(); isPending && timers.length > 0; ) await runUntil(timers.at(-1).at);
      assert.ok(!isPending, "nothing is left that would settle it");
      return promise;
    },
  };
}

const reply = (status, body, headers) => new Response(body, { status, headers });
const token = () => JSON.stringify({ access_token: "t", expires_in: 86_400, token_type: "Bearer" });

/** How the service fails a sender: functions that return a response, or what never settles. */
export const TROUBLES = {
  "429 with Retry-After": () => reply(429, "{}", { "retry-after": "30" }),
  429: () => reply(429, "{}"),
  500: () => reply(500, "{}"),
  408: () => reply(408, "{}"),
  HTML: () => reply(200, "<html>"),
  "a broken connection": () => Promise.reject(new TypeError("fetch failed")),
  "no answer": () => new Promise(() => {}),
};

/**
 * Creates an issuer in virtual time. `troubleOf(senderId)` returns how the service fails a sender, or the
 * client without one; undefined if it does not. `calls` holds the requests.
 */
export function virtualShop(time, random, troubleOf, options) {
  const calls = [];
  const fetch = async (_, { body }) => {
    const { sender_id: sender } = JSON.parse(body);
    calls.push({ sender, at: time.now() });
    await time.sleep(20 + 180 * random());
    return (troubleOf(sender) ?? (() => reply(200, token())))();
  };
  const client = { baseUrl: "https://api.example", clientId: "client", clientSecret: SECRET };
  const tokens = server.createTokenIssuer({ ...client, fetch, onError() {}, ...options });
  /** Resolves with undefined once this sender, or the client, has its token; else with the error. */
  const ask = async (sender) => {
    try {
      await (sender === undefined ? tokens.clientToken() : tokens.senderToken(sender));
      return undefined;
    } catch (error) {
      return error;
    }
  };
  return { tokens, calls, ask };
}
