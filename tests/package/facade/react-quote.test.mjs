import assert from "node:assert/strict";
import { REPLIES } from "../../fuzz/samples.mjs";
import { refusal, service, settled } from "./kit.mjs";
import { deferred, test, withReact } from "./react-page.mjs";

const REQUEST = {
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  dstCountryIso3Code: "MEX",
  srcCurrencyIso3Code: "USD",
  dstCurrencyIso3Code: "MXN",
};
const of = (amount) => ({ ...REQUEST, amount });
const QUOTE = JSON.parse(REPLIES.quote);
const NOW = Date.parse("2030-01-01T00:00:00Z");
const HOUR = 3_600_000;
const endsIn = (ms) => ({ expirationDate: new Date(NOW + ms).toISOString() });
const endsSoon = () => ({ expirationDate: new Date(Date.now() + 1).toISOString() });

withReact((page) => {
  const { h, RemitKitProvider, useQuote, useSecondsLeft, act } = page;

  /** Declares a test on fake timers. `setClock` sets the page's clock, which moves no timer. */
  const timedTest = (name, work) =>
    test(name, async (t) => {
      t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
      const { now } = Date;
      t.mock.method(performance, "now", () => now.call(Date) - NOW);
      const pass = async (ms) => {
        await act(async () => t.mock.timers.tick(ms));
        await page.settle();
      };
      const setClock = (ms) => {
        const { now } = Date;
        Date.now = () => now.call(Date) + ms;
      };
      await work({ pass, setClock, t });
    });

  /** Renders a component that quotes; `asked` are its requests, which the test answers. */
  async function quoting(request, options, mode) {
    const remit = await page.newKit();
    const asked = [];
    service.answer = ({ path, query, signal }) => {
      if (path !== "/v1/quote") return undefined;
      const { promise, resolve } = deferred();
      const amount = Number(query.amount);
      const reply = (value) => act(async () => (resolve(value), await settled()));
      const answer = (more) => reply({ ...QUOTE, quoteHistoryId: `of ${amount}`, ...more });
      asked.push({ amount, signal, answer, refuse: () => reply(refusal("AccessDenied", 403)) });
      return promise;
    };
    const seen = [];
    const Price = ({ request }) => (seen.push(useQuote(request, options)), null);
    const tree = (request, kit = remit, mode) => {
      const price = h(Price, { request });
      const content = mode === undefined ? price : h(page.React.Activity, { mode }, price);
      return h(RemitKitProvider, { remit: kit }, content);
    };
    const { render, unmount } = await page.render(tree(request, remit, mode));
    return {
      asked,
      seen,
      unmount,
      ask: (request, kit, mode) => render(tree(request, kit, mode)),
      refresh: () => act(async () => seen.at(-1).refresh()),
      /** Asserts the shown quote's id, the error's code and which flags are set. */
      shows(id, code, ...flags) {
        const { quote, error, isLoading, isStale, isExpired } = seen.at(-1);
        const all = Object.entries({ isLoading, isStale, isExpired });
        const set = all.flatMap(([name, isSet]) => (isSet ? [name] : []));
        assert.deepEqual([quote?.quoteHistoryId, error?.code, ...set], [id, code, ...flags]);
      },
    };
  }

  timedTest("null asks nothing; a request is sent at once, once in StrictMode", async ({ pass }) => {
    const { ask, asked, shows } = await quoting(null);
    await pass(1000);
    assert.equal(asked.length, 0);
    shows();
    await ask(of(1));
    shows(undefined, undefined, "isLoading");
    await pass(0);
    assert.deepEqual(asked.map(({ amount }) => amount), [1]);
    await asked[0].answer();
    shows("of 1");
    await ask(Object.fromEntries(Object.entries(of(1)).reverse()));
    await pass(1000);
    assert.equal(asked.length, 1, "an equal request asks nothing");
    await ask(null);
    shows();
    await ask(of(1));
    shows(undefined, undefined, "isLoading");
    await pass(0);
    assert.equal(asked.length, 2);
  });

  timedTest("typing is debounced and only the last request is sent", async ({ pass }) => {
    const { ask, asked, shows } = await quoting(of(1));
    await pass(0);
    await asked[0].answer();
    for (const amount of [12, 125, 9007199254740993n, 9007199254740995n]) {
      await ask(of(amount));
      shows("of 1", undefined, "isLoading", "isStale");
      await pass(299);
    }
    assert.equal(asked.length, 1);
    await pass(1);
    assert.deepEqual(service.requests.map(({ query }) => query.amount), ["1", "9007199254740995"]);
    await asked[1].answer({ quoteHistoryId: "last" });
    shows("last");
    await ask(of(2), await page.newKit());
    await pass(0);
    assert.equal(asked.length, 3, "the first request to a kit is not delayed");
  });

  timedTest("an older answer never replaces a newer one, in any order", async ({ pass }) => {
    const { ask, asked, shows, seen, unmount } = await quoting(of(1), { debounceMs: 0 });
    await pass(0);
    for (const amount of [2, 3, 1]) {
      await ask(of(amount));
      await pass(0);
    }
    assert.deepEqual(asked.map(({ signal }) => signal.aborted), [true, true, true, false]);
    await asked[3].answer({ quoteHistoryId: "newest" });
    shows("newest");
    const { length } = seen;
    await asked[1].answer();
    await asked[0].answer({ quoteHistoryId: "oldest" });
    await asked[2].refuse();
    await ask(of(1), await page.newKit());
    shows(undefined, undefined, "isLoading");
    await pass(0);
    await unmount();
    assert.equal(asked[4].signal.aborted, true);
    const rendered = seen.length;
    await asked[4].answer();
    assert.deepEqual([seen.length, rendered > length], [rendered, true], "dropped answers render nothing");
    seen.at(-1).refresh();
    await pass(0);
    assert.equal(asked.length, 5, "nobody shows what is refreshed");
  });

  if (page.React.Activity) {
    timedTest("a price in a tree that was hidden is shown again without a request", async ({ pass }) => {
      const { ask, asked, shows } = await quoting(of(1), {}, "visible");
      await pass(0);
      await asked[0].answer();
      for (const mode of ["hidden", "visible"]) await ask(of(1), undefined, mode);
      await pass(1000);
      shows("of 1");
      assert.equal(asked.length, 1);
    });
  }

  timedTest("an error removes a stale price and keeps one that still holds", async ({ pass }) => {
    const { ask, asked, shows, refresh } = await quoting(of(1), { debounceMs: 0 });
    await pass(0);
    await asked[0].answer(endsIn(40_000_000_000_000));
    await refresh();
    shows("of 1", undefined, "isLoading");
    await pass(0);
    await asked[1].refuse();
    shows("of 1", "AccessDenied");
    await ask(of(2));
    await pass(0);
    shows("of 1", undefined, "isLoading", "isStale");
    await asked[2].refuse();
    shows(undefined, "AccessDenied");
    const circular = of(1);
    circular.self = circular;
    for (const [request, code] of [[of(NaN), "InvalidAmount"], [circular, "InvalidRequest"]]) {
      await ask(request);
      await pass(0);
      shows(undefined, code);
    }
    await ask(of(1), {});
    shows(undefined, "InvalidConfiguration");
    assert.equal(asked.length, 3);
  });

  for (const refreshExpired of [false, true]) {
    const what = refreshExpired ? "replaced" : "marked";
    timedTest(`an expired price is ${what}, refreshExpired ${refreshExpired}`, async ({ pass }) => {
      const { asked, shows } = await quoting(of(1), { refreshExpired });
      await pass(0);
      await asked[0].answer(endsIn(30_000));
      await pass(29_999);
      shows("of 1");
      await pass(1);
      await pass(0);
      shows("of 1", undefined, ...(refreshExpired ? ["isLoading"] : []), "isStale", "isExpired");
      assert.equal(asked.length, refreshExpired ? 2 : 1);
      await asked.at(-1).answer(endsIn(60_000));
      if (refreshExpired) shows("of 1");
    });
  }

  for (const [what, ms] of [["fast", HOUR], ["slow", -48 * HOUR]]) {
    timedTest(`on a device with a ${what} clock a fresh price has not expired`, async ({ pass, setClock }) => {
      setClock(ms);
      const { asked, shows } = await quoting(of(1), { refreshExpired: true });
      await pass(0);
      await asked[0].answer(endsIn(30_000));
      await pass(40_000);
      shows("of 1");
      assert.equal(asked.length, 1);
    });
  }

  timedTest("a clock that is set back lets no price last longer", async ({ pass, setClock }) => {
    const { asked, shows } = await quoting(of(1));
    await pass(0);
    await asked[0].answer(endsIn(30_000));
    setClock(-3 * HOUR);
    await pass(20_000);
    shows("of 1");
    await pass(10_000);
    shows("of 1", undefined, "isStale", "isExpired");
  });

  timedTest("a price has expired after a sleep in which only the device's clock has gone on", async (it) => {
    const { pass, setClock } = it;
    const { asked, shows } = await quoting(of(1));
    await pass(0);
    await asked[0].answer(endsIn(30_000));
    setClock(HOUR);
    await pass(1000);
    shows("of 1", undefined, "isStale", "isExpired");
  });

  timedTest("prices that end at once are refetched rarely, with back-off", async ({ pass }) => {
    const { asked, shows } = await quoting(of(1), { refreshExpired: true });
    await pass(0);
    await asked[0].answer(endsSoon());
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await pass(1000);
      await asked.at(-1).answer(endsSoon());
    }
    assert.ok(asked.length > 5 && asked.length <= 13, String(asked.length));
    await pass(5000);
    await pass(0);
    for (const rest of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      const { length } = asked;
      await asked.at(-1).refuse();
      await pass(rest - 1);
      assert.equal(asked.length, length);
      shows("of 1", "AccessDenied", "isStale", "isExpired");
      await pass(1);
      await pass(0);
      assert.equal(asked.length, length + 1);
    }
  });

  timedTest("a hidden page asks for no price until it is visible", async ({ pass }) => {
    const { asked, shows } = await quoting(of(1), { refreshExpired: true });
    let hidden = true;
    Object.defineProperty(document, "hidden", { get: () => hidden });
    await pass(0);
    await asked[0].answer(endsIn(10_000));
    await pass(HOUR);
    shows("of 1", undefined, "isStale", "isExpired");
    assert.equal(asked.length, 1);
    hidden = false;
    await act(async () => document.dispatchEvent(new Event("visibilitychange")));
    await pass(0);
    assert.equal(asked.length, 2);
  });

  /** Renders a countdown; `seen` is what it rendered. */
  async function counting(of) {
    const seen = [];
    const Countdown = ({ of }) => {
      assert.ok(seen.length < 100, "it renders itself");
      seen.push(useSecondsLeft(of));
      return null;
    };
    const { render } = await page.render(h(Countdown, { of }), { isStrict: false });
    const shows = (left) => assert.equal(seen.at(-1), left);
    return { seen, show: (of) => render(h(Countdown, { of })), shows };
  }

  timedTest("useSecondsLeft counts to zero, and on from a later date", async ({ pass, setClock }) => {
    const session = endsIn(2500);
    const { seen, shows, show } = await counting(session);
    shows(3);
    for (const [ms, left] of [[499, 3], [1, 2], [1000, 1], [1000, 0], [5000, 0]]) {
      await pass(ms);
      shows(left);
    }
    const { length } = seen;
    await pass(60_000);
    assert.equal(seen.length, length, "renders nothing while nothing changes");
    const renewed = { ...session };
    await show(renewed);
    Object.assign(renewed, endsIn(300_000));
    await pass(1000);
    assert.ok(seen.at(-1) > 200, String(seen.at(-1)));
    await show(endsIn(100_000));
    const left = seen.at(-1);
    // Whoever sets the device's clock sets no other.
    setClock(-HOUR);
    for (const gone of [1, 2]) {
      await pass(1000);
      shows(left - gone);
    }
    for (const other of [null, undefined, {}, { expirationDate: "soon" }]) {
      await show(other);
      shows(undefined);
    }
  });
});
