// What is rendered on a server, taken up in the browser, and suspended.

import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { closePage, openPage } from "./card-page.mjs";
import { deferred, PAGE, test, withReact } from "./react-page.mjs";
import { OPTIONS } from "./kit.mjs";

withReact((page) => {
  const {
    h,
    React,
    RemitKitProvider,
    CardForm,
    useQuote,
    useFieldForm,
    useSecondsLeft,
    usePendingTransfers,
    calls,
  } = page;

  const Checkout = () => {
    const { isLoading } = useQuote({ amount: 1 }, { refreshExpired: true });
    const fields = useFieldForm("sender", { senderType: "PERSON" });
    const pending = usePendingTransfers();
    const seconds = useSecondsLeft({ expirationDate: "2999-01-01T00:00:00Z" });
    return h("p", null, [isLoading, fields.isLoading, pending.isLoading, seconds ?? "none"].join());
  };
  const shop = (props) =>
    h(
      RemitKitProvider,
      { options: OPTIONS },
      h(Checkout),
      h(CardForm, { id: "card", className: "card", ...props }),
    );

  /** As on a server, where nothing of a page is there. */
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
    const told = [];
    const { pipe } = page.server.renderToPipeableStream(element, {
      onError: (error) => void told.push(error),
    });
    const html = text(stream);
    pipe(stream);
    await once(stream, "close");
    assert.deepEqual(told, []);
    return html;
  }

  test("a server renders the form's placeholder unstyled and makes no kit", async () => {
    const once = await onServer(() => page.server.renderToString(shop()));
    const other = await onServer(() => streamed(shop({ height: 700 })));
    assert.deepEqual(calls, []);
    for (const [html, height] of [
      [once, "620"],
      [other, "700"],
    ]) {
      assert.ok(html.includes("<p>true,true,true,none</p>"), html);
      assert.ok(!/style|<script/.test(html), html);
      document.body.innerHTML = html;
      const place = document.querySelector("#card.card");
      assert.equal(place.getAttribute("aria-busy"), "true");
      const [picture] = place.children;
      assert.deepEqual(
        ["width", "height", "display", "aria-hidden"].map((name) => picture.getAttribute(name)),
        ["1", height, "block", "true"],
      );
    }
  });

  test("the browser hydrates it without warnings and shows the form in it", async () => {
    const html = await onServer(() => streamed(shop()));
    document.querySelector("#root").innerHTML = html;
    const place = document.querySelector("#card");
    const { unmount } = await page.render(shop(), { hydrates: true });
    assert.equal(document.querySelector("#card"), place, "the server's element is used");
    assert.deepEqual([place.querySelector("svg"), place.style.height], [null, "620px"]);
    await page.until(() => place.querySelector("iframe"));
    assert.deepEqual([page.callsOf("new").length, page.callsOf("cardForm").length], [1, 1]);
    await unmount();
    await page.settle();
    assert.equal(page.callsOf("end").length, 1);
  });

  /** A component that waits when it is told to. */
  function suspender() {
    let waiting;
    const Waits = () => {
      if (waiting) {
        throw waiting.promise;
      }
      return null;
    };
    return {
      Waits,
      wait: () => (waiting = deferred()),
      go: () =>
        page.act(async () => {
          const { resolve } = waiting;
          waiting = undefined;
          resolve();
        }),
    };
  }

  test("a suspended tree makes no kit and no form until it is shown", async () => {
    const { Waits, wait, go } = suspender();
    wait();
    const { container } = await page.render(h(React.Suspense, { fallback: "wait" }, h(Waits), shop()));
    await page.settle();
    assert.equal(container.textContent, "wait");
    assert.deepEqual(calls, []);
    await go();
    await page.until(() => container.querySelector("iframe"));
    assert.deepEqual([page.callsOf("new").length, page.callsOf("cardForm").length], [1, 1]);
  });

  test("a form hidden while a sibling suspends keeps its session", async () => {
    const { Waits, wait, go } = suspender();
    const remit = await page.newKit();
    const tree = (key) =>
      h(RemitKitProvider, { remit }, h(React.Suspense, { fallback: h("i") }, h(Waits, { key }), h(CardForm)));
    // Not strict: StrictMode runs a revealed tree's effects twice; only what is published matters.
    const { container, render } = await page.render(tree(1), { isStrict: false });
    await page.until(() => container.querySelector("iframe"));
    const frame = container.querySelector("iframe");
    wait();
    await render(tree(2));
    assert.ok(container.querySelector("i"));
    await go();
    await page.settle();
    assert.equal(container.querySelector("i"), null);
    assert.equal(container.querySelector("iframe"), frame);
    assert.deepEqual([page.callsOf("cardForm").length, page.callsOf("destroyForm").length], [1, 0]);
  });

  test("a shop that suspends for the kit hands its promise to the provider", async () => {
    const made = page.newKit();
    const remit = await made;
    let seen;
    const Watch = () => ((seen = page.useRemitKit().remit), null);
    await page.render(
      h(RemitKitProvider, { remit: made }, h(React.Suspense, { fallback: "wait" }, h(Watch))),
    );
    await page.until(() => seen === remit);
  });
});
