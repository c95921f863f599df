// Who is refused when the token service fails some senders, or all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./server.mjs";
import { seeded, senderOf, TROUBLES, virtualShop, virtualTime } from "./virtual-shop.mjs";

const kinds = Object.entries(TROUBLES);
const MINUTE = 60_000;

/** A shop in virtual time: `troubles` maps senders to how the service fails them. */
function shop(t, { seed = 1, ...options } = {}) {
  const random = seeded(seed);
  const time = virtualTime(t, random);
  const troubles = new Map();
  const made = virtualShop(time, random, (sender) => troubles.get(sender), options);
  const ask = (number) => time.of(made.ask(number === undefined ? undefined : senderOf(number)));
  const fail = (number, kind = 500) =>
    troubles.set(number === undefined ? undefined : senderOf(number), TROUBLES[kind]);
  const heal = (number) => troubles.delete(number === undefined ? undefined : senderOf(number));
  return { ...made, random, time, troubles, ask, fail, heal };
}

for (const seed of [1, 2, 3]) {
  test(`thousands of senders, some failing in each way: no other is refused (seed ${seed})`, async (t) => {
    const { time, random, troubles, calls, tokens } = shop(t, { seed });
    const refused = [];
    const served = new Set();
    const asking = async (sender) => {
      const error = await tokens.senderToken(sender).catch((error) => error);
      if (troubles.has(sender)) return;
      if (error instanceof Error) refused.push({ at: time.now(), message: error.message });
      else served.add(sender);
    };
    const [all, bad] = [2_000, 200];
    for (let number = 0; number < all; number += 1) {
      const sender = senderOf(number);
      const startsAt = 5 * MINUTE * random();
      if (number < bad) {
        troubles.set(sender, kinds[number % kinds.length][1]);
        // Its customer tries again and again.
        for (let at = startsAt, tries = 0; tries < 20; tries += 1, at += 200 + 3_000 * random()) {
          time.at(at, () => asking(sender));
        }
      } else {
        // In the last third of each minute nobody else asks.
        const inMinute = startsAt % MINUTE;
        time.at(startsAt - inMinute / 3, () => asking(sender));
      }
    }
    await time.run();
    assert.deepEqual(refused.slice(0, 3), []);
    assert.equal(served.size, all - bad);
    assert.ok(calls.length < all + bad * 60, `${calls.length}`);
  });
}

for (const [kind] of kinds) {
  test(`${kind} for one sender, minutes long, refuses no other`, async (t) => {
    const { time, calls, tokens, ask, fail } = shop(t);
    fail(0, kind);
    for (let at = 0; at < 2 * MINUTE; at += 500) {
      time.at(at, () => tokens.senderToken(senderOf(0)).catch(() => {}));
      time.at(at, () => tokens.senderToken(senderOf(0), { renew: true }).catch(() => {}));
    }
    await time.pass(100);
    for (let number = 1; number <= 20; number += 1) {
      await time.pass(6_000);
      const startedAt = time.now();
      assert.equal(await ask(number), undefined);
      assert.ok(time.now() - startedAt < 1_000, "nor does it wait");
    }
    const own = calls.filter(({ sender }) => sender === senderOf(0)).length;
    assert.ok(own < 90, `the service is asked ${own} times in two minutes`);
  });

  test(`${kind} for everybody: calls are few, and all are served soon after`, async (t) => {
    const { time, random, troubles, calls, tokens } = shop(t);
    const [from, to] = [10_000, 90_000];
    const answers = [];
    for (let number = 0; number < 1_000; number += 1) {
      const sender = senderOf(number);
      const at = 2 * MINUTE * random();
      // A customer who was refused tries again after some seconds.
      time.at(at, async () => {
        for (let tries = 0; tries < 100; tries += 1) {
          const startedAt = time.now();
          const error = await tokens.senderToken(sender).catch((error) => error);
          answers.push({ startedAt, at: time.now(), error: error instanceof Error ? error : undefined });
          if (!(error instanceof Error)) break;
          await time.sleep(2_000 + 6_000 * random());
        }
      });
    }
    const healthy = troubles.get;
    time.at(from, () => (troubles.get = () => TROUBLES[kind]));
    time.at(to, () => (troubles.get = healthy));
    await time.run();
    // A request without an answer takes ten seconds to fail.
    const open = from + (kind === "no answer" ? 15_000 : 5_000);
    const during = calls.filter(({ at }) => at >= open && at < to).length;
    assert.ok(during <= 3 * ((to - open) / 1_000), `${during} calls in ${(to - open) / 1_000} seconds`);
    assert.ok(during >= 4, "it is tried again");
    const recovered = to + (kind === "429 with Retry-After" ? 31_000 : 5_000);
    const late = answers.filter(({ startedAt, error }) => startedAt > recovered && error !== undefined);
    assert.deepEqual(late.slice(0, 3), []);
    assert.equal(answers.filter(({ error }) => error === undefined).length, 1_000);
    const waits = answers.filter(({ startedAt }) => startedAt > open && startedAt < to - 10_000);
    assert.ok(waits.every(({ startedAt, at }) => at - startedAt <= 20_000));
  });
}

/** Makes these senders fail at once, and again after three seconds: an outage, if they are enough. */
async function failTogether({ time, ask, fail }, numbers, kind) {
  for (const number of numbers) fail(number, kind);
  for (const pause of [3_000, 0]) {
    for (const number of numbers) assert.ok(await ask(number));
    await time.pass(pause);
  }
}

test("four senders are not enough, and who comes after five is served, with all others", async (t) => {
  const made = shop(t, { maxAttempts: 1 });
  const { time, calls, ask, tokens } = made;
  await failTogether(made, [1, 2, 3, 4], "429 with Retry-After");
  assert.equal(await ask(10), undefined);
  await failTogether(made, [5, 6, 7, 8, 9], "429 with Retry-After");
  const count = calls.length;
  assert.match((await ask(5)).message, /has failed \d+ times in a row and is spared for a moment/);
  assert.equal(calls.length, count);
  const customers = Array.from({ length: 25 }, (_, at) => tokens.senderToken(senderOf(20 + at)));
  await time.of(Promise.all(customers));
  assert.equal(calls.length, count + customers.length);
});

test("the sender that opened the breaker is no probe, and recovers when nobody else asks", async (t) => {
  const made = shop(t, { maxAttempts: 1 });
  const { time, calls, ask, heal } = made;
  await failTogether(made, [1, 2, 3, 4, 5]);
  const opener = Number(calls.at(-1).sender.slice(-1));
  heal(opener);
  await time.pass(2_500);
  const count = calls.length;
  const { retryable, retryAfterMs } = await ask(opener);
  assert.deepEqual([retryable, retryAfterMs > 0, calls.length], [true, true, count]);
  assert.ok(await ask((opener % 5) + 1), "another one is, and fails");
  assert.equal(calls.length, count + 1);
  await time.pass(2_500);
  assert.equal(await ask(opener), undefined, "which makes that the opener");

  const alone = shop(t, { maxAttempts: 1 });
  await failTogether(alone, [1, 2, 3, 4, 5]);
  const last = Number(alone.calls.at(-1).sender.slice(-1));
  alone.heal(last);
  await alone.time.pass(12_500);
  assert.equal(await alone.ask(last), undefined);
});

test("a shop with one sender is tried again each two seconds, and recovers", async (t) => {
  const { time, calls, ask, fail, heal } = shop(t, { maxAttempts: 1 });
  fail(1);
  for (let at = 0; at < MINUTE; at += 200) {
    await ask(1);
    await time.pass(200);
  }
  assert.ok(calls.length > 20 && calls.length < 45, `${calls.length}`);
  const error = await ask(1);
  assert.match(error?.message ?? "", /in a row for this sender and is spared|is not available/);
  heal(1);
  await time.pass(2_100);
  assert.equal(await ask(1), undefined);
});

test("the client's token opens the breaker, and recovers alone", async (t) => {
  const { time, calls, ask, fail, heal } = shop(t, { maxAttempts: 1 });
  const failFor = async (ms) => {
    for (let at = 0; at < ms; at += 500) {
      await ask();
      await time.pass(500);
    }
  };
  fail();
  fail(1);
  await ask(1);
  await failFor(5_000);
  const count = calls.length;
  assert.match((await ask()).message, /for the client and is spared/);
  assert.match((await ask(1)).message, /in a row and is spared/);
  assert.equal(calls.length, count);
  await time.pass(2_100);
  heal();
  assert.equal(await ask(), undefined);

  // Where senders get theirs, what the client lacks is its own matter.
  fail();
  await failFor(2_000);
  assert.equal(await ask(2), undefined);
  await failFor(20_000);
  const other = calls.length;
  await ask(1);
  assert.equal(calls.length, other + 1);
});

test("a Retry-After is kept by its sender, and by all that failed once a second one gets it", async (t) => {
  for (const [waiting, isKept] of [[[5], false], [[4, 5], true]]) {
    const made = shop(t, { maxAttempts: 1 });
    const { time, calls, ask, fail } = made;
    for (const number of [1, 2, 3, 4, 5]) fail(number);
    for (const number of waiting) fail(number, "429 with Retry-After");
    for (const number of [1, 2, 3, 4, 5]) await ask(number);
    await time.pass(3_000);
    for (const number of [1, 2, 3, 4, 5]) await ask(number);
    await time.pass(4_000);
    const count = calls.length;
    await ask(2);
    assert.equal(calls.length, isKept ? count : count + 1, `${waiting}`);
  }
});

test("a page is told of its own sender's Retry-After, and another's gets its token", async (t) => {
  const { time, tokens, fail } = shop(t, { maxAttempts: 1 });
  const handle = tokens.handler({ senderId: ({ headers }) => headers.get("x-sender") });
  const post = async (number) => {
    const headers = { "x-sender": senderOf(number) };
    const made = handle(new Request("https://shop.example/token", { method: "POST", headers }));
    const { status, headers: received } = await time.of(made);
    return [status, received.get("retry-after")];
  };
  fail(1, "429 with Retry-After");
  for (let tries = 0; tries < 8; tries += 1) {
    await post(1);
    await time.pass(1_000);
  }
  const [status, retryAfter] = await post(1);
  assert.equal(status, 503);
  assert.ok(retryAfter > 20 && retryAfter < 30, retryAfter);
  assert.deepEqual(await post(2), [200, null]);
});

test("a probe without an answer holds up no other", async (t) => {
  const made = shop(t, { maxAttempts: 1 });
  const { time, calls, ask, fail, tokens } = made;
  await failTogether(made, [1, 2, 3, 4, 5]);
  const hanging = Array.from({ length: 10 }, (_, at) => 20 + at).map((number) => {
    fail(number, "no answer");
    return tokens.senderToken(senderOf(number)).catch(() => {});
  });
  await time.pass(500);
  const startedAt = time.now();
  const count = calls.length;
  assert.equal(await ask(11), undefined);
  assert.deepEqual([time.now() - startedAt < 3_000, calls.length], [true, count + 1]);
  await time.of(Promise.all(hanging));
});

test("senders without an answer leave half of the places to others", async (t) => {
  const { time, fail, tokens, ask } = shop(t, { maxConcurrent: 10 });
  const failing = Array.from({ length: 10 }, (_, at) => 100 + at);
  for (const number of failing) fail(number, "no answer");
  const askAll = () => failing.map((number) => tokens.senderToken(senderOf(number)).catch(() => {}));
  await time.of(Promise.all(askAll()));
  await ask(1);
  const again = askAll();
  await time.pass(1_000);
  for (let number = 2; number < 30; number += 1) {
    const startedAt = time.now();
    assert.equal(await ask(number), undefined);
    assert.ok(time.now() - startedAt < 500, `${time.now() - startedAt}`);
  }
  await time.of(Promise.all(again));
});

test("senders that go on failing leave half of the retries to others", async (t) => {
  const { time, troubles, fail, ask, tokens } = shop(t);
  const failing = Array.from({ length: 60 }, (_, at) => 100 + at);
  for (const number of failing) fail(number);
  const askAll = () =>
    Promise.all(failing.map((number) => tokens.senderToken(senderOf(number)).catch(() => {})));
  await time.of(askAll());
  await ask(1);
  await time.pass(12_000);
  const again = askAll();
  await time.pass(250);
  // A blip of others, each of which needs one retry.
  const blips = Array.from({ length: 5 }, (_, at) => 2 + at).map((number) => {
    fail(number);
    time.at(time.now() + 250, () => troubles.delete(senderOf(number)));
    return tokens.senderToken(senderOf(number));
  });
  await time.of(Promise.all(blips));
  await time.of(again);
});

test("what is known of failing senders is bounded, and forgotten", async (t) => {
  const { Breaker } = await load("server/breaker.js");
  const { time } = shop(t);
  const breaker = new Breaker();
  const failure = Object.assign(new Error("down"), { retryable: true, code: "ServiceUnavailable" });
  const fail = (name) => breaker.run(name, () => Promise.reject(failure), 1_000).catch(() => {});
  await fail("first");
  for (let number = 0; number < 9_999; number += 1) await fail(`${number}`);
  assert.deepEqual([breaker.isFailing("first"), breaker.isFailing("0")], [true, true]);
  await fail("one more");
  assert.deepEqual([breaker.isFailing("first"), breaker.isFailing("0")], [false, true]);
  await time.pass(11 * MINUTE);
  assert.equal(breaker.isFailing("0"), false);
});
