import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { readEnvironment } from "./support/environment.mjs";

const { SHOP_URL, CHROMIUM, SANDBOX_BASE_URL } = readEnvironment("SHOP_URL", "CHROMIUM", "SANDBOX_BASE_URL");
let browser;
before(async () => {
  browser = await launch(CHROMIUM);
});
after(() => browser?.close());

/** The shop's page under another policy than its own. */
async function under(change) {
  const page = await openPage(browser, { expectErrors: [/Content Security Policy|securitypolicy|Refused|ERR_/i] });
  await page.route(`${SHOP_URL}/`, async (route) => {
    const reply = await route.fetch();
    const headers = reply.headers();
    headers["content-security-policy"] = change(headers["content-security-policy"]);
    await route.fulfill({ response: reply, headers });
  });
  await page.goto(`${SHOP_URL}/`);
  return page;
}

test("a policy that keeps the service out is an error which names the directive", async () => {
  const page = await under((policy) => policy.replace(` ${new URL(SANDBOX_BASE_URL).origin}`, ""));
  await page.locator(".notice.error").filter({ hasText: "connect-src" }).first().waitFor();
  assert.ok(page.seen.violations.some((violation) => violation.startsWith("connect-src")));
  const asked = page.seen.requests.filter(({ url }) => url.startsWith(SANDBOX_BASE_URL));
  assert.ok(asked.length <= 2, `it was asked again and again: ${asked.length}`);
  await page.context().close();
});

test("a policy that forbids wasm is an error which names what it must allow", async () => {
  const page = await under((policy) => policy.replace(" 'wasm-unsafe-eval'", ""));
  await page.locator(".notice.error").filter({ hasText: "wasm-unsafe-eval" }).first().waitFor();
  await page.context().close();
});
