import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, shop } from "./packed.mjs";

test("of two new sessions that were asked for the form shows the later one, whichever comes first", async () => {
  const result = await printed(
    await shop(),
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";

    const window = new EventTarget();
    const document = { defaultView: window, createElement: () => new Element() };
    Object.assign(window, { origin: "https://shop.example", document, navigator: { onLine: true } });
    const shown = [];
    globalThis.Element = class Element extends EventTarget {
      ownerDocument = document;
      isConnected = true;
      style = {};
      hasAttribute() {}
      setAttribute() {}
      removeAttribute() {}
      remove() {}
      getRootNode = () => document;
      insertBefore(frame) {
        shown.push(Number(frame.src.at(-1)));
      }
    };
    const answers = [];
    let sessions = 0;
    globalThis.fetch = () => {
      sessions += 1;
      const id = "3f2504e0-4f89-41d3-9a0c-0305e82c330" + sessions;
      const session = { id, status: "INCOMPLETE", expirationDate: "2999-01-01T00:00:00Z", cardId: null };
      return new Promise((resolve) => answers.push(() => resolve(Response.json(session))));
    };
    const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
    const kit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const mounted = kit.cardForm({ container: new Element() });
    await settled();
    answers[0]();
    const form = await mounted;
    const renewals = [form.renew(), form.renew()];
    await settled();
    answers[2]();
    await renewals[1];
    answers[1]();
    await renewals[0];
    console.log(JSON.stringify({ shown, session: Number(form.sessionId.at(-1)) }));
    process.exit();`,
  );
  assert.deepEqual(result, { shown: [1, 3], session: 3 });
});
