// The hosted card form with hostile themes: no value may affect anything but its own parameter.

import assert from "node:assert/strict";
import { beforeEach } from "node:test";
import { PARAMETERS } from "../../sandbox/card-form/theme.js";
import { hasCount, isHidden, isShown } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
/** Values that a browser might run, fetch or apply. More of them are in the form's own tests. */
const HOSTILE = [
  '"><script>globalThis.pwned = 1</script>',
  "'><img src=x onerror=globalThis.pwned=1>",
  "</style><script>globalThis.pwned=1</script>",
  "javascript:globalThis.pwned=1",
  "red;background:url(https://evil.example/a)",
  "red}@import url(https://evil.example/b.css);x{",
  "\\75rl(https://evil.example/e)",
  "image-set('https://evil.example/f' 1x)",
  "calc(1px * 99999)",
  "var(--danger)",
  "currentColor",
  "inherit",
  "__proto__",
  "http://evil.example/h.png",
];

let session;
beforeEach(async () => {
  const granted = await fetch(`${shop.shopUrl}/api/remit-token`, { method: "POST" });
  const { access_token: token } = await granted.json();
  const reply = await fetch(`${shop.baseUrl}/v1/card-onboarding-sessions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ entityMode: "RECIPIENT" }),
  });
  session = (await reply.json()).id;
  assert.match(session, /^[0-9a-f-]{36}$/);
});

/** Opens the form with a query and returns how each of its elements looks. */
async function open(page, query) {
  // The interface does not allow hostile values, so only the form sees the query.
  const withoutQuery = (route) => route.continue({ url: route.request().url().split("?")[0] });
  await page.unrouteAll();
  await page.route(/\/v2\/add-card\/[^/]*\?/, withoutQuery);
  await page.route("https://evil.example/**", (route) => route.abort());
  page.seen.requests.length = 0;
  await page.goto(`${shop.cardUrl}/v2/add-card/${session}?${new URLSearchParams(query)}`);
  await page.locator("input").first().waitFor();
  return page.evaluate(() => {
    const names = ["color", "background", "border", "font", "letterSpacing", "textTransform", "display"];
    names.push("visibility", "opacity", "position", "width", "height", "content");
    const elements = [...document.querySelectorAll("*")].filter(({ localName }) => localName !== "script");
    return elements.map((element) => {
      const style = getComputedStyle(element);
      const looks = names.map((name) => style[name]).join(";");
      return `${element.localName} ${element.className} ${element.id} ${looks}`;
    });
  });
}

const themeOf = (names, value) => Object.fromEntries(names.map((name) => [name, value]));

const IGNORED = { expectErrors: [/^Card form: theme values ignored for /] };
shop.pageTest("hostile values change nothing, run nothing and fetch nothing", IGNORED, async (page) => {
  const plain = await open(page, {});
  assert.notDeepEqual(await open(page, { primary: "#07a", showStep: "1" }), plain, "a valid value applies");
  // Font names allow more characters and are quoted, so they may change the look.
  const names = PARAMETERS.filter((name) => !/font$/i.test(name));
  for (const value of HOSTILE) {
    const about = value.slice(0, 60);
    assert.deepEqual(await open(page, themeOf(names, value)), plain, about);
    await open(page, themeOf(PARAMETERS, value));
    const foreign = page.seen.requests.filter(({ url }) => !url.startsWith(`${shop.cardUrl}/`));
    assert.deepEqual(foreign, [], about);
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined, about);
    await hasCount(page.locator("script"), 1, about);
  }
});

const FAILED = { expectErrors: [/ERR_/] };
shop.pageTest("an image address that contains CSS is fetched as one image only", FAILED, async (page) => {
  const plain = await open(page, { showCardAnimation: "1" });
  const css = '");background:url(https://evil.example/second)}*{display:none}';
  const cardBackground = `https://evil.example/x.png?a${css}`;
  const looks = await open(page, { showCardAnimation: "1", cardBackground });
  assert.equal(looks.length, plain.length);
  const fetched = page.seen.requests.map(({ url }) => url).filter((url) => url.startsWith("https://evil"));
  assert.ok(fetched.length <= 1, fetched.join());
  assert.ok(fetched.every((url) => url.startsWith("https://evil.example/x.png?a")), fetched.join());
  await isShown(page.locator("input").first());
});

const phone = (width, height) => ({ viewport: { width, height }, isMobile: true, hasTouch: true });
for (const [what, options, hasPicture] of [
  ["a tablet", { viewport: { width: 1024, height: 768 } }, true],
  ["a phone on its side", phone(932, 430), false],
  ["a phone", phone(430, 932), false],
  ["a narrow window", { viewport: { width: 430, height: 932 } }, false],
]) {
  shop.pageTest(`${what} ${hasPicture ? "shows" : "hides"} the picture of the card`, options, async (page) => {
    await open(page, { showCardAnimation: "1" });
    // settled: the form has its theme once it is open.
    assert.equal(await page.locator("#picture").isVisible(), hasPicture);
    await open(page, { showCardAnimation: "0" });
    await isHidden(page.locator("#picture"), "the form has its theme");
  });
}

shop.pageTest("no label of the Spanish form breaks within a word at 400 %", {}, async (page) => {
  // A desktop's window of 1280 px at 400 %, with and without a scroll bar, and frames that are narrower still.
  for (const width of [320, 305, 255, 240]) {
    await page.setViewportSize({ width, height: 256 });
    await open(page, { lng: "es-MX" });
    const broken = await page.locator("label").evaluateAll((labels) => {
      const words = labels.flatMap(({ firstChild: text }) => {
        return [...text.data.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ text, word, index }));
      });
      const lines = ({ text, word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      };
      return words.filter((one) => lines(one) > 1).map(({ word }) => word);
    });
    assert.deepEqual(broken, [], `at ${width} px`);
  }
});
