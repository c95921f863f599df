// The hosted form under a made-up address: no value of a theme may affect anything but its own parameter.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PARAMETERS } from "../../sandbox/card-form/theme.js";
import { launch, openPage } from "./support/browser.mjs";
import { readEnvironment } from "./support/environment.mjs";

const { SHOP_URL, CHROMIUM, SANDBOX_BASE_URL, SANDBOX_CARD_URL } = readEnvironment(
  "SHOP_URL",
  "CHROMIUM",
  "SANDBOX_BASE_URL",
  "SANDBOX_CARD_URL",
);

const HOSTILE = [
  '"><script>globalThis.pwned = 1</script>',
  "'><img src=x onerror=globalThis.pwned=1>",
  "</style><script>globalThis.pwned=1</script>",
  "javascript:globalThis.pwned=1",
  "data:text/html,<script>globalThis.pwned=1</script>",
  "red;background:url(https://evil.example/a)",
  "red}*{display:none}",
  "red}@import url(https://evil.example/b.css);x{",
  "url(https://evil.example/c)",
  'url("https://evil.example/d',
  "\\75rl(https://evil.example/e)",
  "image-set('https://evil.example/f' 1x)",
  "var(--text)",
  "attr(data-x)",
  "env(safe-area-inset-top)",
  "expression(globalThis.pwned=1)",
  "red/**/;color:blue",
  "inherit",
  "calc(1px * 99999)",
  "99999999px",
  "-1e9px",
  "constructor",
  "__proto__",
  "${globalThis.pwned=1}",
  "{{constructor.constructor('globalThis.pwned=1')()}}",
  "\u202ered\u2066",
  "\0red",
  "r\ned",
  "a".repeat(2_000),
  "ftp://evil.example/g.png",
  "http://evil.example/h.png",
  "https://user:secret@evil.example/i.png",
];

let browser;
let session;
before(async () => {
  browser = await launch(CHROMIUM);
  const headers = { "content-type": "application/json" };
  const { access_token: token } = await (await fetch(`${SHOP_URL}/api/remit-token`, { method: "POST" })).json();
  const reply = await fetch(`${SANDBOX_BASE_URL}/v1/card-onboarding-sessions`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ entityMode: "RECIPIENT" }),
  });
  assert.equal(reply.ok, true, `a session was created: ${reply.status}`);
  session = (await reply.json()).id;
  assert.match(session, /^[0-9a-f-]{36}$/);
});
after(() => browser?.close());

/** What the form looks like: every element with what a theme, or whoever gets out of one, would change. */
function look() {
  const names = ["color", "background", "border", "font", "letterSpacing", "textTransform", "display", "visibility", "opacity", "position", "width", "height", "content"];
  const elements = [...document.querySelectorAll("*")].filter((element) => element.localName !== "script");
  return elements.map((element) => {
    const style = getComputedStyle(element);
    return `${element.localName} ${element.className} ${element.id} ${names.map((name) => style[name]).join(";")}`;
  });
}

/** A page on which the address is the form's alone to read: the service's own contract has no such values. */
async function opened(options) {
  const page = await openPage(browser, options);
  await page.route(/\/v2\/add-card\/[^/]*\?/, (route) => route.continue({ url: route.request().url().split("?")[0] }));
  return page;
}

async function shown(page, query) {
  page.seen.requests.length = 0;
  await page.goto(`${SANDBOX_CARD_URL}/v2/add-card/${session}?${new URLSearchParams(query)}`);
  await page.locator("input").first().waitFor();
  return page.evaluate(look);
}

test("hostile values change nothing, run nothing and fetch nothing", async () => {
  const page = await opened({ expectErrors: [/^Card form: theme values ignored for /] });
  const plain = await shown(page, {});
  const themed = await shown(page, { primary: "#07a", showStep: "1" });
  assert.notDeepEqual(themed, plain, "a value that is taken can be seen");
  for (const value of HOSTILE) {
    // The fonts' names may hold more than the rest, and are quoted: they are looked at by themselves below.
    const names = PARAMETERS.filter((name) => !/font$/i.test(name));
    assert.deepEqual(await shown(page, Object.fromEntries(names.map((name) => [name, value]))), plain, value.slice(0, 60));
    await shown(page, Object.fromEntries(PARAMETERS.map((name) => [name, value])));
    const foreign = page.seen.requests.filter(({ url }) => !url.startsWith(`${SANDBOX_CARD_URL}/`));
    assert.deepEqual(foreign, [], value.slice(0, 60));
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined, value.slice(0, 60));
    assert.equal(await page.locator("script").count(), 1, "no script but the form's own");
  }
  assert.deepEqual(page.seen.errors, []);
  assert.deepEqual(page.seen.violations, []);
  await page.context().close();
});

test("an image address that contains CSS is fetched as one image only", async () => {
  const page = await opened({ expectErrors: [/ERR_/] });
  await page.route("https://evil.example/**", (route) => route.abort());
  const plain = await shown(page, { showCardAnimation: "1" });
  const bent = 'https://evil.example/x.png?a");background:url(https://evil.example/second)}*{display:none}';
  const looks = await shown(page, { showCardAnimation: "1", cardBackground: bent });
  assert.equal(looks.length, plain.length);
  const asked = page.seen.requests.map(({ url }) => url).filter((url) => url.startsWith("https://evil.example"));
  assert.ok(asked.length <= 1, asked.join());
  assert.ok(asked.every((url) => url.startsWith("https://evil.example/x.png?a")), asked.join());
  assert.equal(await page.locator("input").first().isVisible(), true);
  await page.context().close();
});

test("a font list applies in order; an invalid one keeps the default", async () => {
  const page = await opened();
  const family = () => page.evaluate(() => getComputedStyle(document.body).fontFamily);
  await shown(page, {});
  const own = await family();
  await shown(page, { font: `'Open Sans', "Noto Serif",serif` });
  assert.equal(await family(), `"Open Sans", "Noto Serif", serif, ${own}`);
  await shown(page, { font: `Inter, url(https://evil.example/f)` });
  assert.equal(await family(), own);
  await page.context().close();
});

test("phones show no picture of the card in either orientation", async () => {
  const held = { isMobile: true, hasTouch: true };
  for (const [options, isShown] of [
    [{ viewport: { width: 1024, height: 768 } }, true],
    [{ viewport: { width: 932, height: 430 }, ...held }, false],
    [{ viewport: { width: 430, height: 932 }, ...held }, false],
    [{ viewport: { width: 430, height: 932 } }, false],
  ]) {
    const page = await opened(options);
    await shown(page, { showCardAnimation: "1" });
    assert.equal(await page.locator("#picture").isVisible(), isShown, JSON.stringify(options));
    await shown(page, { showCardAnimation: "0" });
    assert.equal(await page.locator("#picture").isVisible(), false);
    await page.context().close();
  }
});
