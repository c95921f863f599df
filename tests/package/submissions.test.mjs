import assert from "node:assert/strict";
import { test } from "node:test";
import { TRANSFER, printed, shop } from "./packed.mjs";

test("an attempt that is submitted twice at once is posted once, and each gets its outcome", async () => {
  const result = await printed(
    await shop(),
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const journal = new Map();
    let posts = 0;
    let answer;
    const posted = new Promise((resolve) => (answer = resolve));
    globalThis.fetch = async (url, { method }) => {
      const { pathname } = new URL(url);
      if (method === "POST") {
        posts += 1;
        await posted;
        return Response.json({ transferId: ID, transferStatus: "CREATED" });
      }
      return Response.json(pathname.endsWith("-fields") ? { fieldSets: [] } : { nonce: ID });
    };
    const remit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      journal,
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const attempt = await remit.prepareTransfer(${TRANSFER});
    const [same] = await remit.pendingTransfers();
    const first = attempt.submit();
    const second = same.submit();
    const controller = new AbortController();
    const third = same.submit({ signal: controller.signal }).catch((error) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    const gaveUp = await third;
    answer();
    const outcomes = await Promise.all([first, second]);
    console.log(JSON.stringify({
      posts,
      gaveUp,
      ids: outcomes.map((transfer) => transfer.transferId),
      recovered: outcomes.map((transfer) => transfer.recovered),
      kept: [...journal.values()].map((text) => JSON.parse(text).state),
      again: (await attempt.submit()).transferId,
    }));
    await remit.destroy();
    `,
  );
  const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  assert.deepEqual(result, { posts: 1, gaveUp: "OutcomeUnknown", ids: [id, id], recovered: [false, false], kept: ["CREATED"], again: id });
});

test("an attempt that was dropped is not given the outcome of the one in its place", async () => {
  const result = await printed(
    await shop(),
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    let nonces = 0;
    globalThis.fetch = async (url, { method, body }) => {
      if (method === "POST") {
        return Response.json({ transferId: ID, amount: JSON.parse(body).amount });
      }
      return Response.json(url.includes("-fields") ? { fieldSets: [] } : { nonce: ID.slice(0, -1) + (nonces += 1) });
    };
    const remit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const request = ${TRANSFER};
    const dropped = await remit.prepareTransfer(request);
    await dropped.discard();
    const other = await remit.prepareTransfer({ ...request, amount: 2000 });
    const outcomes = [other.submit(), dropped.submit()].map((made) => made.then(({ amount }) => amount, ({ code }) => code));
    console.log(JSON.stringify(await Promise.all(outcomes)));
    process.exit();
    `,
  );
  assert.deepEqual(result, [2000, "TransferDuplicatedByQuote"]);
});
