import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, shop } from "./packed.mjs";

// There is no way to crash the core through the API, so this asks its allocator for more than there is.
test("a crash of the real module ends its kits, and the next kit gets a fresh instance", async () => {
  const result = await printed(
    await shop(),
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";
    import init from "./node_modules/remitkit/remitkit_core.js";

    const options = {
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: () => new Promise(() => {}),
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    };
    const soon = new Promise((resolve) => setTimeout(resolve, 3000, "still waiting"));
    const kindOf = (promise) => Promise.race([promise.then(() => "none", (error) => error.kind), soon]);

    const kit = await createRemitKit(options);
    const before = kit.contentSecurityPolicy();
    const pending = kindOf(kit.nonce());
    await new Promise((resolve) => setTimeout(resolve, 20));
    const exports = await init(); // the same exports again, as it is loaded
    // What the glue's own texts are given room with: the exports have short names.
    const glue = await readFile("node_modules/remitkit/remitkit_core.js", "utf8");
    const malloc = exports[/passStringToWasm0\\(\\w+, wasm\\.(\\w+),/.exec(glue)[1]];
    let trapped = "nothing";
    try {
      malloc(0x7fffffff, 1);
      malloc(0x7fffffff, 1);
      malloc(0x7fffffff, 1);
    } catch (error) {
      trapped = error.constructor.name;
    }
    const next = await createRemitKit(options);
    console.log(JSON.stringify({
      trapped,
      pending: await pending,
      later: await kindOf(kit.nonce()),
      next: JSON.stringify(next.contentSecurityPolicy()) === JSON.stringify(before),
      isNewInstance: (await init()) !== exports,
    }));
    process.exit();`,
  );
  assert.deepEqual(result, {
    trapped: "RuntimeError",
    pending: "internal",
    later: "internal",
    next: true,
    isNewInstance: true,
  });
});

test("a card form that a crash has ended hears nothing of its page any more", async () => {
  const result = await printed(
    await shop(),
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";
    import init from "./node_modules/remitkit/remitkit_core.js";

    const window = new EventTarget();
    const document = { defaultView: window, createElement: () => new Element() };
    Object.assign(window, { origin: "https://shop.example", document, navigator: { onLine: true } });
    const listeners = new Set();
    window.addEventListener = (type) => listeners.add(type);
    window.removeEventListener = (type) => listeners.delete(type);
    globalThis.Element = class Element extends EventTarget {
      ownerDocument = document;
      isConnected = true;
      style = {};
      isRemoved = false;
      hasAttribute() {}
      setAttribute() {}
      removeAttribute() {}
      insertBefore() {}
      getRootNode = () => document;
      remove() {
        this.isRemoved = true;
      }
    };
    const session = { id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", status: "INCOMPLETE", expirationDate: "2999-01-01T00:00:00Z", cardId: null };
    globalThis.fetch = async () => Response.json(session);
    const kit = await createRemitKit({
      baseUrl: "https://api.remitkit.example",
      cardUrl: "https://card.remitkit.example",
      token: "t",
      wasm: await readFile("node_modules/remitkit/remitkit_core_bg.wasm"),
    });
    const form = await kit.cardForm({ container: new Element() });
    const before = [...listeners].sort();
    const exports = await init();
    const glue = await readFile("node_modules/remitkit/remitkit_core.js", "utf8");
    const malloc = exports[/passStringToWasm0\\(\\w+, wasm\\.(\\w+),/.exec(glue)[1]];
    try {
      for (;;) malloc(0x7fffffff, 1);
    } catch {}
    const kind = await form.completed.catch((error) => error.kind);
    console.log(JSON.stringify({ before, kind, after: [...listeners], isRemoved: form.element.isRemoved }));
    process.exit();`,
  );
  assert.deepEqual(result, { before: ["message", "securitypolicyviolation"], kind: "internal", after: [], isRemoved: true });
});
