import assert from "node:assert/strict";
import { never, OPTIONS, service } from "./kit.mjs";
import { deferred, test, withReact } from "./react-page.mjs";

withReact((page) => {
  const { h, RemitKitProvider, useRemitKit, calls } = page;

  /** Renders a provider; `seen` is what a component in it saw, render by render. */
  async function provided(props) {
    const seen = [];
    const Watch = () => (seen.push(useRemitKit()), null);
    const tree = (props) => h(RemitKitProvider, props, h(Watch));
    const { render, unmount } = await page.render(tree(props));
    const last = () => seen.at(-1);
    const ready = () => page.until(() => last().remit);
    return { seen, last, ready, unmount, provide: (props) => render(tree(props)) };
  }
  const withOptions = (options) => provided({ options: { ...OPTIONS, ...options } });

  test("StrictMode makes one kit, which is destroyed with the provider", async () => {
    const { seen, last, unmount, ready } = await withOptions();
    assert.deepEqual([seen[0].remit, seen[0].error, seen[0].isLoading], [undefined, undefined, true]);
    await ready();
    const { remit, isLoading } = last();
    assert.deepEqual([isLoading, page.callsOf("new").length, page.callsOf("end").length], [false, 1, 0]);
    await unmount();
    await page.settle();
    assert.equal(page.callsOf("end").length, 1);
    await assert.rejects(remit.nonce(), { code: "Destroyed" });
  });

  test("a kit that is made after the provider has gone is destroyed", async () => {
    const { promise, resolve } = deferred();
    page.gate.until = promise;
    const { unmount } = await withOptions();
    await page.until(() => page.callsOf("new").length === 1);
    await unmount();
    delete page.gate.until;
    resolve();
    await page.settle();
    assert.equal(page.callsOf("end").length, 1);
  });

  // React 19 introduced trees that are kept without effects.
  if (page.React.Activity) {
    test("a hidden provider has no kit, and makes another when it is shown", async () => {
      const seen = [];
      const Watch = () => (seen.push(useRemitKit().remit), null);
      const provider = h(RemitKitProvider, { options: OPTIONS }, h(Watch));
      const tree = (mode) => h(page.React.Activity, { mode }, provider);
      const { render } = await page.render(tree("visible"));
      await page.until(() => seen.at(-1));
      const [first] = seen.slice(-1);
      await render(tree("hidden"));
      await page.settle();
      assert.deepEqual([seen.at(-1), page.callsOf("end").length], [undefined, 1]);
      await render(tree("visible"));
      await page.until(() => seen.at(-1));
      assert.notEqual(seen.at(-1), first);
    });
  }

  test("inline options keep the kit and follow its newest functions", async () => {
    const tokens = [];
    const inline = (token) => ({ ...OPTIONS, token: () => (tokens.push(token), token) });
    const { last, provide, ready } = await withOptions(inline("a"));
    await ready();
    const { remit } = last();
    await provide({ options: inline("b") });
    assert.deepEqual([last().remit, page.callsOf("new").length], [remit, 1]);
    const isRefused = ({ headers }) => headers.authorization === "Bearer a";
    service.answer = (request) => (isRefused(request) ? new Response("[]", { status: 401 }) : undefined);
    await remit.nonce();
    assert.deepEqual(tokens, ["a", "b"]);
  });

  test("other options make another kit and remove the old one at once", async () => {
    const { seen, last, provide, ready } = await withOptions();
    await ready();
    const before = last().remit;
    let options = OPTIONS;
    for (const more of [
      { baseUrl: "https://other.example" },
      { token: "another sender's" },
      { journal: "session" },
      { senderId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" },
    ]) {
      const { length } = page.callsOf("new");
      const rendered = seen.length;
      options = { ...options, ...more };
      await provide({ options });
      await ready();
      assert.equal(page.callsOf("new").length, length + 1, JSON.stringify(more));
      assert.ok(!seen.slice(rendered).some(({ remit }) => remit === before));
    }
    assert.equal(page.callsOf("end").length, 4);
  });

  test("a busy kit calls no function from another kit's options", async () => {
    const heard = [];
    const optionsOf = (name) => ({
      ...OPTIONS,
      baseUrl: `https://${name}.example`,
      token: () => `token-of-${name}`,
      onDiagnostic: () => heard.push(name),
    });
    const { promise, resolve } = deferred();
    service.answer = () => promise;
    const { last, provide, ready } = await provided({ options: optionsOf("one") });
    await ready();
    const { remit } = last();
    const call = remit.nonce();
    await page.settle();
    await provide({ options: optionsOf("other") });
    await ready();
    assert.notEqual(last().remit, remit);
    service.answer = () => undefined;
    // The kit asks for another token in the middle of its call.
    resolve(new Response("[]", { status: 401 }));
    await call;
    await page.settle();
    const bearers = service.requests.map(({ headers }) => headers.authorization);
    assert.deepEqual([bearers, heard], [Array(2).fill("Bearer token-of-one"), ["one", "one"]]);
  });

  test("a failure is reported as a RemitError and can be retried", async () => {
    const options = { ...OPTIONS, token: undefined };
    const { last, ready } = await provided({ options });
    await page.until(() => last().error);
    const { error, isLoading } = last();
    assert.deepEqual([error.code, error.option, isLoading], ["InvalidConfiguration", "token", false]);
    options.token = "t";
    await page.act(async () => last().retry());
    await ready();
  });

  test("a kit the page supplies is used, awaited and not destroyed", async () => {
    const own = await page.newKit();
    const { last, provide, unmount } = await provided({ remit: null });
    for (const remit of [null, never()]) {
      await provide({ remit });
      assert.equal(last().isLoading, true);
    }
    for (const remit of [Promise.resolve(own), own]) {
      await provide({ remit });
      await page.settle();
      assert.equal(last().remit, own);
    }
    const failed = Promise.reject(new TypeError("no"));
    failed.catch(() => {});
    for (const remit of [{}, Promise.resolve(7), failed]) {
      await provide({ remit });
      await page.settle();
      assert.deepEqual([last().error.code, last().error.option], ["InvalidConfiguration", "remit"]);
    }
    await unmount();
    assert.equal(page.callsOf("end").length, 0);
  });

  test("no provider, or both or none of its props, throws", async () => {
    const Watch = () => (useRemitKit(), null);
    const both = { options: OPTIONS, remit: null };
    const trees = [h(Watch), h(RemitKitProvider, {}), h(RemitKitProvider, both)];
    for (const tree of trees) await assert.rejects(page.render(tree), { code: "InvalidConfiguration" });
    page.expectComplaints();
  });
});
