import assert from "node:assert/strict";
import { OPTIONS, service } from "./kit.mjs";
import { deferred, test, withReact } from "./react-page.mjs";

withReact((page) => {
  const { h, React, RemitKitProvider, useRemitKit, calls } = page;

  /** What a component in the provider saw, render by render. */
  function watched() {
    const seen = [];
    const Watch = () => {
      seen.push(useRemitKit());
      return null;
    };
    return { seen, Watch, last: () => seen.at(-1) };
  }

  test("StrictMode makes one kit, which is destroyed with the provider", async () => {
    const { seen, Watch, last } = watched();
    const { unmount } = await page.render(h(RemitKitProvider, { options: OPTIONS }, h(Watch)));
    assert.deepEqual([seen[0].remit, seen[0].error, seen[0].isLoading], [undefined, undefined, true]);
    await page.until(() => !last().isLoading);
    const { remit } = last();
    assert.equal(typeof remit.quote, "function");
    assert.equal(page.callsOf("new").length, 1);
    assert.equal(page.callsOf("end").length, 0);
    await unmount();
    await page.settle();
    assert.equal(page.callsOf("end").length, 1);
    await assert.rejects(remit.nonce(), { code: "Destroyed" });
  });

  test("a provider unmounted while its kit is being made leaves none", async () => {
    const { Watch } = watched();
    for (let hops = 0; hops < 12; hops += 1) {
      calls.length = 0;
      const { unmount } = await page.render(h(RemitKitProvider, { options: OPTIONS }, h(Watch)));
      for (let i = 0; i < hops; i += 1) {
        await null;
      }
      await unmount();
      for (let i = 0; i < 5; i += 1) {
        await page.settle();
      }
      assert.equal(page.callsOf("new").length, page.callsOf("end").length, `after ${hops}`);
    }
  });

  test("inline options keep the kit and follow its newest functions", async () => {
    const { Watch, last } = watched();
    const tokens = [];
    const tree = (token) =>
      h(RemitKitProvider, { options: { ...OPTIONS, token: () => (tokens.push(token), token) } }, h(Watch));
    const { render } = await page.render(tree("a"));
    await page.until(() => last().remit);
    const { remit } = last();
    await render(tree("b"));
    assert.equal(last().remit, remit);
    assert.equal(page.callsOf("new").length, 1);
    service.answer = ({ headers }) =>
      headers.Authorization === "Bearer a" ? new Response("[]", { status: 401 }) : undefined;
    await remit.nonce();
    assert.deepEqual(service.requests.map(({ headers }) => headers.Authorization), ["Bearer a", "Bearer b"]);
    assert.deepEqual(tokens, ["a", "b"]);
  });

  test("other options make another kit and remove the old one at once", async () => {
    const { seen, Watch, last } = watched();
    const tree = (more) => h(RemitKitProvider, { options: { ...OPTIONS, ...more } }, h(Watch));
    const { render } = await page.render(tree({}));
    await page.until(() => last().remit);
    const before = last().remit;
    for (const more of [
      { baseUrl: "https://other.example" },
      { token: "another sender's" },
      { journal: "memory" },
      { senderId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" },
    ]) {
      const { length } = page.callsOf("new");
      const rendered = seen.length;
      await render(tree(more));
      await page.until(() => last().remit);
      assert.equal(page.callsOf("new").length, length + 1, JSON.stringify(more));
      assert.ok(!seen.slice(rendered).some(({ remit }) => remit === before));
    }
    assert.equal(page.callsOf("end").length, 4);
  });

  test("a busy kit calls no function from another kit's options", async () => {
    const { Watch, last } = watched();
    const heard = [];
    const given = (name) => ({
      ...OPTIONS,
      baseUrl: `https://${name}.example`,
      token: () => `token-of-${name}`,
      onDiagnostic: () => heard.push(name),
    });
    let answer;
    service.answer = ({ path }) => {
      const isFirst = path === "/v1/nonce" && answer === undefined;
      return isFirst ? new Promise((resolve) => (answer = resolve)) : undefined;
    };
    const { render } = await page.render(h(RemitKitProvider, { options: given("one") }, h(Watch)));
    await page.until(() => last().remit);
    const { remit } = last();
    const call = remit.nonce();
    await page.settle();
    await render(h(RemitKitProvider, { options: given("other") }, h(Watch)));
    await page.until(() => last().remit);
    assert.notEqual(last().remit, remit);
    // The kit asks for another token, in the middle of its call.
    answer(new Response("[]", { status: 401 }));
    await call;
    await page.settle();
    const bearers = service.requests.map(({ headers }) => headers.Authorization);
    assert.deepEqual(bearers, Array(2).fill("Bearer token-of-one"));
    assert.deepEqual(heard, ["one", "one"]);
  });

  test("a failure is reported as a RemitError and can be retried", async () => {
    const { Watch, last } = watched();
    const options = { ...OPTIONS, token: undefined };
    await page.render(h(RemitKitProvider, { options }, h(Watch)));
    await page.until(() => last().error);
    assert.deepEqual(
      [last().error.code, last().error.option, last().isLoading],
      ["InvalidConfiguration", "token", false],
    );
    options.token = "t";
    await page.act(async () => last().retry());
    await page.until(() => last().remit);
  });

  test("a kit the page supplies is used, awaited and not destroyed", async () => {
    const own = await page.newKit();
    const { Watch, last } = watched();
    const { promise, resolve } = deferred();
    const tree = (remit) => h(RemitKitProvider, { remit }, h(Watch));
    const { render, unmount } = await page.render(tree(null));
    assert.equal(last().isLoading, true);
    await render(tree(promise));
    assert.equal(last().isLoading, true);
    resolve(own);
    await page.settle();
    assert.equal(last().remit, own);
    await render(tree(own));
    assert.equal(last().remit, own);
    await unmount();
    assert.equal(page.callsOf("end").length, 0);
  });

  test("an invalid kit is reported, whether given directly or by a promise", async () => {
    const { Watch, last } = watched();
    const tree = (remit) => h(RemitKitProvider, { remit }, h(Watch));
    const failed = Promise.reject(new TypeError("no"));
    failed.catch(() => {});
    const { render } = await page.render(tree({}));
    assert.equal(last().error.code, "InvalidConfiguration");
    for (const remit of [Promise.resolve(7), failed]) {
      await render(tree(remit));
      await page.settle();
      assert.deepEqual([last().error.code, last().error.option], ["InvalidConfiguration", "remit"]);
    }
  });

  test("no provider, or both or none of its props, throws", async () => {
    class Boundary extends React.Component {
      state = {};
      static getDerivedStateFromError = (error) => ({ error });
      render() {
        return this.state.error ? this.state.error.code : this.props.children;
      }
    }
    const { Watch } = watched();
    for (const tree of [
      h(Watch),
      h(RemitKitProvider, {}, h(Watch)),
      h(RemitKitProvider, { options: OPTIONS, remit: null }, h(Watch)),
    ]) {
      const { container, unmount } = await page.render(h(Boundary, null, tree));
      assert.equal(container.textContent, "InvalidConfiguration");
      await unmount();
    }
    page.complaints().length = 0;
  });
});
