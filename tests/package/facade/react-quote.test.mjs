import assert from "node:assert/strict";
import { mock } from "node:test";
import { REPLIES } from "../../fuzz/samples.mjs";
import { refusal, service, settled } from "./kit.mjs";
import { deferred, test, withReact } from "./react-page.mjs";

const REQUEST = {
  transferMethod: "PUSH_TO_CARD",
  quoteBy: "SEND_AMOUNT",
  dstCountryIso3Code: "MEX",
  srcCurrencyIso3Code: "USD",
  dstCurrencyIso3Code: "MXN",
  amount: 100,
};
const of = (amount) => ({ ...REQUEST, amount });
const QUOTE = JSON.parse(REPLIES.quote);
const NOW = Date.parse("2030-01-01T00:00:00Z");

withReact((page) => {
  const { h, React, RemitKitProvider, useQuote, useSecondsLeft } = page;

  /** Renders a component that quotes on its own clock; `asked` are its requests, to be answered. */
  async function quoting(request, options, { isStrict, wrap = (inner) => inner } = {}) {
    const remit = await page.newKit();
    const asked = [];
    service.answer = ({ path, query, signal }) => {
      if (path !== "/v1/quote") {
        return undefined;
      }
      const { promise, resolve } = deferred();
      const amount = Number(query.amount);
      const answer = (more) => page.act(async () => (resolve(more), await settled()));
      asked.push({
        amount,
        signal,
        answer: (more) => answer({ ...QUOTE, quoteHistoryId: `of ${amount}`, ...more }),
        refuse: () => answer(refusal("AccessDenied", 403)),
      });
      return promise;
    };
    const seen = [];
    const Price = ({ request }) => {
      seen.push(useQuote(request, options));
      return null;
    };
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
    const tree = (request, kit = remit, around = wrap) =>
      h(RemitKitProvider, { remit: kit }, around(h(Price, { request })));
    const { render, unmount } = await page.render(tree(request), { isStrict });
    const pass = async (ms) => {
      await page.act(async () => mock.timers.tick(ms));
      await page.settle();
    };
    return {
      remit,
      asked,
      seen,
      pass,
      unmount,
      ask: (request, kit) => render(tree(request, kit)),
      showIn: (around) => render(tree(request, remit, around)),
      shown() {
        const { quote, error, isLoading, isStale, isExpired } = seen.at(-1);
        return [
          quote?.quoteHistoryId,
          error?.code,
          ...Object.entries({ isLoading, isStale, isExpired }).flatMap(([name, is]) => (is ? [name] : [])),
        ];
      },
      refresh: () => page.act(async () => seen.at(-1).refresh()),
    };
  }

  const quoteTest = (name, work) =>
    test(name, async () => {
      try {
        await work();
      } finally {
        mock.timers.reset();
      }
    });

  quoteTest("null asks nothing; a request is sent at once, once in StrictMode", async () => {
    const { ask, asked, pass, shown } = await quoting(null);
    await pass(1000);
    assert.deepEqual([asked.length, shown()], [0, [undefined, undefined]]);
    await ask(of(1));
    assert.deepEqual(shown(), [undefined, undefined, "isLoading"]);
    await pass(0);
    assert.deepEqual(
      asked.map(({ amount }) => amount),
      [1],
    );
    await asked[0].answer();
    assert.deepEqual(shown(), ["of 1", undefined]);
    await ask(null);
    assert.deepEqual(shown(), [undefined, undefined]);
    await ask(of(1));
    assert.deepEqual(shown(), [undefined, undefined, "isLoading"], "a price of before is not believed");
    await pass(0);
    assert.equal(asked.length, 2);
  });

  quoteTest("an equal request in another object or order asks nothing", async () => {
    const { ask, asked, pass } = await quoting(of(1));
    await pass(0);
    await asked[0].answer();
    await ask(Object.fromEntries(Object.entries(of(1)).reverse()));
    await pass(1000);
    assert.equal(asked.length, 1);
  });

  quoteTest("typing is debounced and only the last request is sent", async () => {
    const { ask, asked, pass, shown } = await quoting(of(1));
    await pass(0);
    await asked[0].answer();
    for (const amount of [12, 125, 1250]) {
      await ask(of(amount));
      assert.deepEqual(shown(), ["of 1", undefined, "isLoading", "isStale"]);
      await pass(299);
    }
    assert.equal(asked.length, 1);
    await pass(1);
    assert.deepEqual(
      asked.map(({ amount }) => amount),
      [1, 1250],
    );
    await asked[1].answer();
    assert.deepEqual(shown(), ["of 1250", undefined]);
  });

  quoteTest("an older answer never replaces a newer one, in any order", async () => {
    const { ask, asked, pass, shown, seen } = await quoting(of(1), { debounceMs: 0 });
    await pass(0);
    for (const amount of [2, 3, 1]) {
      await ask(of(amount));
      await pass(0);
    }
    assert.deepEqual(
      asked.map(({ amount, signal }) => [amount, signal.aborted]),
      [
        [1, true],
        [2, true],
        [3, true],
        [1, false],
      ],
    );
    await asked[3].answer({ quoteHistoryId: "newest" });
    assert.deepEqual(shown(), ["newest", undefined]);
    const { length } = seen;
    await asked[1].answer();
    await asked[0].answer({ quoteHistoryId: "oldest" });
    await asked[2].refuse();
    assert.equal(shown()[0], "newest");
    assert.equal(seen.length, length, "what is dropped renders nothing");
  });

  quoteTest("an error removes a stale price and keeps one that still holds", async () => {
    const { ask, asked, pass, shown, refresh } = await quoting(of(1), { debounceMs: 0 });
    await pass(0);
    await asked[0].answer();
    await refresh();
    assert.deepEqual(shown(), ["of 1", undefined, "isLoading"]);
    await pass(0);
    await asked[1].refuse();
    assert.deepEqual(shown(), ["of 1", "AccessDenied"]);
    await ask(of(2));
    await pass(0);
    assert.deepEqual(shown(), ["of 1", undefined, "isLoading", "isStale"]);
    await asked[2].refuse();
    assert.deepEqual(shown(), [undefined, "AccessDenied"]);
    await ask(of(NaN));
    await pass(0);
    assert.deepEqual(shown(), [undefined, "InvalidAmount"]);
    const circular = of(1);
    circular.self = circular;
    await ask(circular);
    await pass(0);
    assert.deepEqual(shown(), [undefined, "InvalidRequest"]);
    assert.equal(asked.length, 3);
  });

  quoteTest("an amount beyond 2^53 makes a request of its own", async () => {
    const { ask, asked, pass } = await quoting(of(9007199254740993n), { debounceMs: 0 });
    await pass(0);
    await ask(of(9007199254740995n));
    await pass(0);
    assert.equal(asked.length, 2);
  });

  quoteTest("unmounting aborts the call, whose late end has no effect", async () => {
    const { asked, pass, unmount, seen } = await quoting(of(1));
    await pass(0);
    await unmount();
    assert.equal(asked[0].signal.aborted, true);
    const { length } = seen;
    await asked[0].answer();
    assert.equal(seen.length, length);
  });

  quoteTest("another kit's price is not shown", async () => {
    const { ask, asked, pass, shown } = await quoting(of(1));
    await pass(0);
    await asked[0].answer();
    await ask(of(1), await page.newKit());
    assert.deepEqual(shown(), [undefined, undefined, "isLoading"]);
    await pass(0);
    assert.equal(asked.length, 2);
  });

  quoteTest("an expired price is marked, and replaced only on request", async () => {
    for (const refreshExpired of [false, true]) {
      const { asked, pass, shown, unmount } = await quoting(of(1), { refreshExpired });
      await pass(0);
      await asked[0].answer({
        expirationDate: new Date(Date.now() + 30_000).toISOString().replace("Z", "1234Z"),
      });
      await pass(29_999);
      assert.deepEqual(shown(), ["of 1", undefined]);
      await pass(1);
      await pass(0);
      if (refreshExpired) {
        assert.deepEqual(shown(), ["of 1", undefined, "isLoading", "isStale", "isExpired"]);
        await pass(0);
        await asked[1].answer();
        assert.deepEqual(shown(), ["of 1", undefined]);
      } else {
        assert.deepEqual(shown(), ["of 1", undefined, "isStale", "isExpired"]);
      }
      assert.equal(asked.length, refreshExpired ? 2 : 1);
      await unmount();
      mock.timers.reset();
    }
  });

  quoteTest(
    "a fast clock refetches expired prices rarely, with back-off",
    async () => {
      const { asked, pass, shown } = await quoting(of(1), { refreshExpired: true });
      const expirationDate = "2001-01-01T00:00:00Z";
      await pass(0);
      await asked[0].answer({ expirationDate });
      for (let seconds = 0; seconds < 60; seconds += 1) {
        await pass(1000);
        await asked.at(-1).answer({ expirationDate });
      }
      assert.ok(asked.length > 5 && asked.length <= 13, String(asked.length));
      await pass(5000);
      await pass(0);
      for (const rest of [10_000, 20_000, 40_000, 60_000, 60_000]) {
        const { length } = asked;
        await asked.at(-1).refuse();
        await pass(rest - 1);
        assert.equal(asked.length, length);
        assert.deepEqual(shown(), ["of 1", "AccessDenied", "isStale", "isExpired"]);
        await pass(1);
        await pass(0);
        assert.equal(asked.length, length + 1, "it is asked again after a rest");
      }
      await asked.at(-1).answer({ expirationDate: new Date(Date.now() + 60_000).toISOString() });
      assert.deepEqual(shown(), ["of 1", undefined]);
    },
  );

  quoteTest("correcting the clock revives a price, and refreshing goes on", async () => {
    const { asked, pass, shown } = await quoting(of(1), { refreshExpired: true });
    const endsIn = (ms) => ({ expirationDate: new Date(NOW + ms).toISOString() });
    setClock(3_600_000);
    await pass(0);
    await asked[0].answer(endsIn(30_000));
    await pass(1000);
    assert.deepEqual(shown(), ["of 1", undefined, "isStale", "isExpired"]);
    setClock(-3_600_000);
    await pass(1000);
    assert.deepEqual([asked.length, shown()], [1, ["of 1", undefined]]);
    await pass(28_000);
    await pass(1000);
    await pass(0);
    assert.deepEqual([asked.length, shown().at(-1)], [2, "isExpired"]);
  });

  quoteTest("setting the clock back after a refresh does not delay the next one", async () => {
    const { asked, pass } = await quoting(of(1), { refreshExpired: true });
    await pass(0);
    await asked[0].answer({ expirationDate: "2001-01-01T00:00:00Z" });
    setClock(-3_600_000);
    await pass(5000);
    await pass(0);
    assert.equal(asked.length, 2);
  });

  quoteTest("a hidden page asks for no price until it is visible", async () => {
    const { asked, pass, shown } = await quoting(of(1), { refreshExpired: true });
    let hidden = true;
    Object.defineProperty(document, "hidden", { get: () => hidden });
    await pass(0);
    await asked[0].answer({ expirationDate: new Date(Date.now() + 10_000).toISOString() });
    await pass(3_600_000);
    assert.deepEqual([asked.length, shown().at(-1)], [1, "isExpired"]);
    hidden = false;
    await page.act(async () => document.dispatchEvent(new Event("visibilitychange")));
    await pass(0);
    assert.equal(asked.length, 2);
  });

  quoteTest("a price that expires in centuries does not expire at once", async () => {
    const { asked, pass, shown } = await quoting(of(1));
    await pass(0);
    await asked[0].answer({ expirationDate: "2999-01-01T00:00:00Z" });
    await pass(1000);
    assert.deepEqual(shown(), ["of 1", undefined]);
  });

  quoteTest("useQuote returns the kit's own error", async () => {
    const { shown } = await (async () => {
      const seen = [];
      const Price = () => (seen.push(useQuote(of(1))), null);
      await page.render(h(RemitKitProvider, { remit: {} }, h(Price)));
      return { shown: () => seen.at(-1) };
    })();
    assert.deepEqual(
      [shown().error.code, shown().isLoading, shown().quote],
      ["InvalidConfiguration", false, undefined],
    );
  });

  quoteTest(
    "useSecondsLeft counts to zero, and on from a later date",
    async () => {
      mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
      const seen = [];
      const Countdown = ({ of }) => (seen.push(useSecondsLeft(of)), null);
      const session = { expirationDate: "2030-01-01T00:00:02.5000000Z" };
      const { render } = await page.render(h(Countdown, { of: session }), { isStrict: false });
      const pass = async (ms) => {
        await page.act(async () => mock.timers.tick(ms));
      };
      assert.equal(seen.at(-1), 3);
      for (const [ms, left] of [
        [499, 3],
        [1, 2],
        [1000, 1],
        [1000, 0],
        [5000, 0],
      ]) {
        await pass(ms);
        assert.equal(seen.at(-1), left);
      }
      const { length } = seen;
      await pass(60_000);
      assert.equal(seen.length, length, "nothing is rendered for nothing");
      session.expirationDate = "2030-01-01T00:05:00Z";
      await pass(1000);
      assert.ok(seen.at(-1) > 200, String(seen.at(-1)));
      for (const other of [null, undefined, {}, { expirationDate: "soon" }]) {
        await render(h(Countdown, { of: other }));
        assert.equal(seen.at(-1), undefined);
      }
    },
  );

  /** Sets the page's clock, by which no timer goes. */
  const setClock = (ms) => {
    const { now } = Date;
    Date.now = () => now.call(Date) + ms;
  };

  quoteTest("useSecondsLeft goes on counting when the clock is set back", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
    const seen = [];
    const Countdown = () => (seen.push(useSecondsLeft({ expirationDate: "2030-01-01T00:00:09Z" })), null);
    await page.render(h(Countdown), { isStrict: false });
    const pass = (ms) => page.act(async () => mock.timers.tick(ms));
    setClock(-3_600_000);
    for (const left of [3608, 3607, 3606]) {
      await pass(1000);
      assert.equal(seen.at(-1), left);
    }
  });

  quoteTest("a price expires soon after the clock jumped ahead or a sleep", async () => {
    const { asked, pass, shown } = await quoting(of(1));
    await pass(0);
    await asked[0].answer({ expirationDate: new Date(NOW + 600_000).toISOString() });
    await pass(1000);
    assert.deepEqual(shown(), ["of 1", undefined]);
    setClock(3_600_000);
    await pass(10_000);
    assert.deepEqual(shown(), ["of 1", undefined, "isStale", "isExpired"]);
  });

  quoteTest("useSecondsLeft stops reading a value it no longer counts", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
    const seen = [];
    const Countdown = ({ of }) => {
      seen.push(useSecondsLeft(of));
      React.useLayoutEffect(() => {
        if (of === undefined) {
          setClock(2000);
          window.dispatchEvent(new Event("pageshow"));
        }
      });
      return null;
    };
    const { render } = await page.render(h(Countdown, { of: { expirationDate: "2030-01-01T00:00:09Z" } }));
    assert.equal(seen.at(-1), 9);
    await render(h(Countdown, { of: undefined }));
    assert.equal(seen.at(-1), undefined);
  });

  if (React.Activity) {
    quoteTest("hiding and showing keeps a quote and refetches an unanswered one", async () => {
      const wrap = (mode) => (inner) => h(React.Activity, { mode }, inner);
      const { asked, pass, shown, showIn, refresh } = await quoting(of(1), undefined, { wrap: wrap("visible") });
      await pass(0);
      await asked[0].answer({ quoteHistoryId: "first" });
      await showIn(wrap("hidden"));
      await pass(1000);
      await showIn(wrap("visible"));
      await pass(1000);
      assert.deepEqual([asked.length, shown()], [1, ["first", undefined]]);
      await refresh();
      await pass(0);
      assert.deepEqual([asked.length, shown()], [2, ["first", undefined, "isLoading"]]);
      await showIn(wrap("hidden"));
      await showIn(wrap("visible"));
      await pass(0);
      assert.deepEqual([asked.length, shown()], [3, ["first", undefined, "isLoading"]]);
      await asked[2].answer({ quoteHistoryId: "last" });
      assert.deepEqual(shown(), ["last", undefined]);
    });
  }

  quoteTest("useSecondsLeft accepts a value written inline", async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
    const seen = [];
    const Countdown = () => {
      assert.ok(seen.length < 100, "it renders itself");
      seen.push(useSecondsLeft({ expirationDate: "2030-01-01T00:00:09Z" }));
      return null;
    };
    await page.render(h(Countdown));
    assert.equal(seen.at(-1), 9);
  });
});
