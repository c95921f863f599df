import assert from "node:assert/strict";
import { test, withReact } from "./react-page.mjs";

withReact((page) => {
  const { h, RemitKitProvider, useCorridors } = page;

  test("corridors follow the newest filter, and are absent while loading", async () => {
    const asked = [];
    const corridors = async (filter) => {
      asked.push(filter);
      return [{ transferMethod: filter.transferMethod ?? "ANY" }];
    };
    const remit = { cardForm() {}, corridors };
    let state;
    const seen = [];
    const Ways = ({ filter }) => (seen.push((state = useCorridors(filter))), null);
    const tree = (filter) => h(RemitKitProvider, { remit }, h(Ways, { filter }));
    const { render } = await page.render(tree(undefined));
    assert.deepEqual([seen[0].corridors, seen[0].isLoading], [[], true]);
    await page.until(() => !state.isLoading);
    assert.deepEqual(state.corridors, [{ transferMethod: "ANY" }]);
    seen.length = 0;
    await render(tree({ transferMethod: "PUSH_TO_CARD" }));
    assert.deepEqual([seen[0].corridors, seen[0].isLoading], [[], true]);
    await page.until(() => !state.isLoading);
    assert.deepEqual(state.corridors, [{ transferMethod: "PUSH_TO_CARD" }]);
    await render(tree({ transferMethod: "PUSH_TO_CARD" }));
    await page.settle();
    assert.equal(asked.length, 2, "a filter that says the same asks nothing");
    await page.act(async () => state.refresh());
    await page.until(() => !state.isLoading);
    assert.equal(asked.length, 3);
    await render(tree(null));
    assert.deepEqual([state.corridors, state.isLoading, state.error], [[], false, undefined]);
  });
});
