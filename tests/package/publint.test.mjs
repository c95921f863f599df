import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { shop } from "./packed.mjs";

test("publint finds nothing to say", async () => {
  const pkgDir = join(await shop(), "node_modules/remitkit");
  const { messages, pkg } = await publint({ pkgDir, level: "suggestion", strict: true, pack: false });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});
