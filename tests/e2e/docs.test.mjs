// The documentation: its pages, search, code, links and layout, all without another server.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { BUILT } from "../../www/backend/server.mjs";
import { AXE, axeProblems } from "./support/axe.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const DOCS = `${shop.shopUrl}/docs/`;
const PAGES = (await readdir(`${BUILT}/docs`))
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .map((name) => name.replace("index.html", ""));

/** Registers a test that also asserts that all requests went to the shop's server. */
function docsTest(name, options, work) {
  shop.pageTest(name, options, async (page) => {
    await page.goto(DOCS);
    await work(page);
    const foreign = page.seen.requests.filter(({ url }) => !url.startsWith(shop.shopUrl));
    assert.deepEqual(foreign.map(({ url }) => url), []);
  });
}

docsTest("every link of the documentation leads to a page and a heading", {}, async (page) => {
  assert.ok(PAGES.length >= 10, String(PAGES));
  const [ids, links] = [new Map(), new Map()];
  for (const name of PAGES) {
    await page.goto(DOCS + name);
    await page.locator("main h1").waitFor();
    const path = `/docs/${name}`;
    ids.set(path, new Set(await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id))));
    links.set(path, await page.locator("a[href]").evaluateAll((all) => all.map(({ href }) => href)));
  }
  const broken = [];
  for (const [path, hrefs] of links) {
    for (const { origin, pathname, hash } of hrefs.map((href) => new URL(href))) {
      if (origin !== shop.shopUrl) continue;
      const [target, id] = [ids.get(pathname), decodeURIComponent(hash.slice(1))];
      const isBroken = target ? id !== "" && !target.has(id) : pathname.startsWith("/docs/");
      if (isBroken) broken.push(`${path} → ${pathname}${hash}`);
    }
  }
  assert.deepEqual(broken, []);
  // The contents list every page.
  const listed = new Set(links.get("/docs/").map((href) => new URL(href).pathname));
  assert.deepEqual([...ids.keys()].filter((path) => !listed.has(path)), []);
});

docsTest("the search finds words without a connection", {}, async (page) => {
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("loopback");
  await page.locator("#localsearch-list a").first().waitFor();
  await page.context().setOffline(true);
  await page.getByRole("searchbox").fill("outcome_unknown");
  await page.locator("#localsearch-list a").filter({ hasText: "A transfer happens once" }).first().waitFor();
  await page.context().setOffline(false);
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL(/\/docs\/.*#/);
});

docsTest("code is highlighted, wrapped and copied", {}, async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const block = page.locator("div.language-js").first();
  // settled: the page is static.
  const code = await block.locator("code").innerText();
  await block.hover();
  await block.getByRole("button", { name: "Copy" }).click();
  await block.locator("button.copied").waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), code.trim());
  const colorsOf = (all) => all.map((one) => getComputedStyle(one).color);
  const colors = await block.locator("code span").evaluateAll(colorsOf);
  assert.ok(new Set(colors).size >= 4, `${new Set(colors).size} colors`);
  const isCut = (all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText);
  assert.deepEqual(await page.locator("pre").evaluateAll(isCut), []);
});

for (const [colorScheme, ...widths] of [["light", 360, 1366], ["dark", 768]]) {
  const options = { colorScheme, scripts: [AXE] };
  const name = `the documentation fits its screen, and axe finds nothing (${colorScheme})`;
  docsTest(name, options, async (page) => {
    for (const name of PAGES) {
      await page.goto(DOCS + name);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 768 });
        const scroll = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(scroll, width, `${name} at ${width} px`);
        assert.deepEqual(await axeProblems(page), [], `${name} at ${width} px`);
      }
    }
  });
}

shop.pageTest("shop, workbench and documentation link to each other", {}, async (page) => {
  await page.goto(DOCS);
  await page.getByRole("link", { name: "Demo shop" }).click();
  await page.getByRole("heading", { level: 1, name: "Send money abroad" }).waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Documentation" }).click();
  await page.getByRole("heading", { level: 1, name: "RemitKit" }).waitFor();
});
