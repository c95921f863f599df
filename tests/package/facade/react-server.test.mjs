// Rendering on a server, and suspense. components.test.mjs hydrates in Chromium.

import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { closePage, openPage } from "./card-page.mjs";
import { OPTIONS } from "./kit.mjs";
import { deferred, PAGE, test, withReact } from "./react-page.mjs";

withReact((page) => {
  const { h, React, calls, RemitKitProvider, CardForm } = page;
  const { useQuote, useFieldForm, useSecondsLeft, usePendingTransfers } = page;

  const Checkout = () => {
    const quote = useQuote({ amount: 1 }, { refreshExpired: true });
    const fields = useFieldForm("sender", { senderType: "PERSON" });
    const pending = usePendingTransfers();
    const seconds = useSecondsLeft({ expirationDate: "2999-01-01T00:00:00Z" });
    return h("p", null, [quote.isLoading, fields.isLoading, pending.isLoading, seconds ?? "none"].join());
  };
  const shop = (props) => {
    const form = h(CardForm, { id: "card", className: "card", ...props });
    return h(RemitKitProvider, { options: OPTIONS }, h(Checkout), form);
  };
  const created = () => [page.callsOf("new").length, page.callsOf("cardForm").length];

  /** Renders without the globals of a page. */
  async function onServer(render) {
    closePage();
    try {
      return await render();
    } finally {
      openPage(PAGE);
    }
  }

  async function streamed(element) {
    const stream = new PassThrough();
    const errors = [];
    const onError = (error) => void errors.push(error);
    const { pipe } = page.server.renderToPipeableStream(element, { onError });
    const html = text(stream);
    pipe(stream);
    await once(stream, "close");
    assert.deepEqual(errors, []);
    return html;
  }

  test("a server renders the form's placeholder unstyled and makes no kit", async () => {
    for (const [props, height] of [[{}, "620"], [{ height: 700 }, "700"]]) {
      const html = await onServer(() => streamed(shop(props)));
      assert.deepEqual(calls, []);
      assert.ok(html.includes("<p>true,true,true,none</p>"), html);
      assert.ok(!/style|<script/.test(html), html);
      document.body.innerHTML = html;
      const place = document.querySelector("#card.card");
      assert.equal(place.getAttribute("aria-busy"), "true");
      const attributes = ["width", "height", "display", "aria-hidden"];
      const [picture] = place.children;
      assert.deepEqual(attributes.map((name) => picture.getAttribute(name)), ["1", height, "block", "true"]);
    }
  });

  /** A component that suspends between `wait` and `go`. */
  function suspender() {
    let waiting;
    const Waits = () => {
      if (waiting) throw waiting.promise;
      return null;
    };
    const go = () =>
      page.act(async () => {
        const { resolve } = waiting;
        waiting = undefined;
        resolve();
      });
    return { Waits, wait: () => (waiting = deferred()), go };
  }

  test("a suspended tree makes no kit and no form until it is shown", async () => {
    const { Waits, wait, go } = suspender();
    wait();
    const { container } = await page.render(h(React.Suspense, { fallback: "wait" }, h(Waits), shop()));
    await page.settle();
    assert.deepEqual([container.textContent, calls], ["wait", []]);
    await go();
    await page.until(() => container.querySelector("iframe"));
    assert.deepEqual(created(), [1, 1]);
  });

  test("a form hidden while a sibling suspends keeps its session", async () => {
    const { Waits, wait, go } = suspender();
    const remit = page.newKit();
    await remit;
    const suspense = (key) => h(React.Suspense, { fallback: h("i") }, h(Waits, { key }), h(CardForm));
    const tree = (key) => h(RemitKitProvider, { remit }, suspense(key));
    // Not strict: StrictMode runs a revealed tree's effects twice, which production does not.
    const { container, render } = await page.render(tree(1), { isStrict: false });
    await page.until(() => container.querySelector("iframe"));
    const frame = container.querySelector("iframe");
    wait();
    await render(tree(2));
    assert.ok(container.querySelector("i"));
    await go();
    await page.settle();
    assert.deepEqual([container.querySelector("i"), container.querySelector("iframe")], [null, frame]);
    assert.deepEqual([page.callsOf("cardForm").length, page.callsOf("destroyForm").length], [1, 0]);
  });
});
