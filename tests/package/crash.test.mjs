import assert from "node:assert/strict";
import { test } from "node:test";
import { printed, shop } from "./packed.mjs";

const folder = await shop();

// There is no way to crash the core through the API, so this asks its allocator for more than there is.
test("a crash of the real module ends its kits; the next kit starts fresh", async () => {
  const result = await printed(
    folder,
    `
    import { readFile } from "node:fs/promises";
    import { createRemitKit } from "remitkit";
    import * as glue from "./node_modules/remitkit/remitkit_core.js";

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
    const { exports } = glue;
    // What the glue's own texts are given room with: the exports have short names.
    const text = await readFile("node_modules/remitkit/remitkit_core.js", "utf8");
    const malloc = exports[/passStringToWasm0\\(\\w+, wasm\\.(\\w+),/.exec(text)[1]];
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
      isNewInstance: glue.exports !== exports,
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
