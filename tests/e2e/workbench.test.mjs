import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { MOST_MOVED, moved, takeBudget, watchBudget } from "./support/budget.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { screensOf } from "./support/screens.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { shopSuite } from "./support/suite.mjs";
import { BROUGHT_ABOUT, benchOf, Workbench } from "./support/workbench.mjs";

const shop = shopSuite();
const atTheBench = benchOf(shop);
const UNTHEMED = 'const form = await remit.cardForm({\n  container: "#card",\n});';

test("the shop and the workbench link to each other", async () => {
  await shop.inShop(async (_, page) => {
    await page.getByRole("link", { name: "Workbench" }).click();
    await page.getByRole("heading", { level: 1, name: "Workbench" }).waitFor();
    await page.getByRole("link", { name: "To the demo shop" }).click();
    await page.getByRole("heading", { level: 1, name: "Send money abroad" }).waitFor();
  });
});

test("the workbench opens without layout shifts", async () => {
  for (const width of [320, 1440]) {
    await shop.onPage(async (page) => {
      await page.route(/\/(v1|sandbox|api)\//, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await route.continue().catch(() => {});
      });
      await new Workbench(page, shop.shopUrl).open();
      await page.locator("#policy").waitFor();
      const { shifts } = await takeBudget(page);
      assert.ok(moved(shifts) <= MOST_MOVED, `at ${width} px the page moved by ${moved(shifts)}: ${JSON.stringify(shifts)}`);
    }, { viewport: { width, height: 800 }, scripts: [watchBudget] });
  }
});

test("a theme change updates the form's address and the code, nothing else", async () => {
  await atTheBench(async (bench, page) => {
    const parameters = await page.locator(".parameters [name]").evaluateAll((controls) => controls.map(({ name }) => name));
    assert.equal(new Set(parameters).size, 24);
    const before = new URL(await bench.address());
    assert.equal(before.search, "");
    assert.equal(await bench.code(), UNTHEMED);

    await page.locator("input[name=primary]").fill("#0a7a5a");
    await page.locator("select[name=lng]").selectOption("es-MX");
    await page.locator("select[name=showStep]").selectOption("true");
    await bench.frame.locator("html[lang=es-MX]").waitFor();
    const { pathname, search } = new URL(await bench.address());
    assert.equal(pathname, before.pathname, "the session is kept");
    assert.deepEqual([...new URLSearchParams(search)].sort(), [["lng", "es-MX"], ["primary", "#0a7a5a"], ["showStep", "1"]]);
    assert.match(await bench.code(), /\n {2}theme: \{\n {4}primary: "#0a7a5a",\n {4}lng: "es-MX",\n {4}showStep: true,\n {2}\},\n/);
    assert.equal(await page.locator("input.well").first().inputValue(), "#0a7a5a");

    await page.getByRole("button", { name: "Dark", exact: true }).click();
    assert.match(await bench.code(), /^import \{ darkTheme \} from "remitkit";\n\n(.|\n)* {2}theme: \{\n {4}\.\.\.darkTheme,\n {2}\},\n/);
    await page.getByRole("button", { name: "Form’s own" }).click();
    assert.equal(await bench.code(), UNTHEMED);
    await page.waitForFunction(() => !document.querySelector(".card-frame iframe").src.includes("?"));
  });
});

test("changing the theme renews a finished session", async () => {
  await atTheBench(async (bench, page) => {
    const before = new URL(await bench.address());
    await bench.fillCard({ number: GOOD_CARD });
    await page.locator(".card-status[data-status=verified]").waitFor();
    await page.getByRole("button", { name: "Dark", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".card-frame iframe").src.includes("primary="));
    await page.locator(".card-status[data-status=ready]").waitFor();
    assert.notEqual(new URL(await bench.address()).pathname, before.pathname);
    const renewed = page.locator(".entry[data-sort=call]").filter({ hasText: "cardForm.renew" });
    assert.equal(await renewed.count(), 1);
  });
});

test("invalid values are marked in place, and poor contrast is named", async () => {
  await atTheBench(async (bench, page) => {
    await page.locator("input[name=text]").fill("#eee");
    await page.locator(".contrast.bad li").filter({ hasText: "text on foreground" }).waitFor();
    const shown = await bench.address();
    for (const [name, value] of [["text", "no colour"], ["buttonRadius", "8"], ["cardBackground", "javascript:1"]]) {
      const control = page.locator(`input[name=${name}]`);
      await control.fill(value);
      await page.locator(`input[name=${name}][aria-invalid=true]`).waitFor();
      await control.fill(name === "text" ? "#eee" : "");
      await page.locator(`input[name=${name}]:not([aria-invalid])`).waitFor();
    }
    assert.equal(await bench.address(), shown);
  });
});

test("the exported trace tells what happened, without token, card or name", async () => {
  await atTheBench(async (bench, page) => {
    await bench.run("transfer TransferDuplicatedByQuote");
    await bench.run("createRecipient InvalidRecipientName");
    await bench.run("updateSender InvalidSenderName");
    await bench.fillCard({ number: GOOD_CARD, name: "Aurelia Quintana" });
    await page.locator(".card-status[data-status=verified]").waitFor();
    const text = await bench.exported();
    const { format, entries } = JSON.parse(text);
    assert.equal(format, "remitkit-trace");
    assert.deepEqual([...new Set(entries.map(({ sort }) => sort))].sort(), ["action", "call", "event", "request"]);
    assert.ok(entries.some(({ operation, outcome }) => operation === "transfer" && outcome === "done"));
    assert.ok(entries.some(({ type }) => type === "CARD_VALIDATION_STOP_SUCCESS"));

    const tokens = new Set(page.seen.requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "")).filter(Boolean));
    assert.ok(tokens.size >= 2, "the customer's, and the client's");
    const typed = [GOOD_CARD, GOOD_CARD.slice(-6), "Aurelia", "Quintana", "12/34", "Rojas", "Calle Mayor", "012345678901234567", "9125550142", "Harbour"];
    for (const secret of [...tokens, ...typed]) {
      assert.ok(!text.includes(secret), `${secret} stands in the trace`);
    }
    // It holds no id of a record that was made or requested either; only those of requests are there.
    for (const { url } of page.seen.requests) for (const [id] of new URL(url).pathname.matchAll(/[0-9a-f-]{36}/g)) assert.ok(!text.includes(id), url);

    const measures = await page.evaluate(() =>
      performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("remitkit:")).map(({ name, detail }) => [name, Object.keys(detail)]),
    );
    assert.ok(measures.length > 5);
    for (const [name, detail] of measures) {
      assert.match(name, /^remitkit:[A-Za-z]+$/);
      assert.deepEqual(detail, ["operation", "attempt", "status"]);
    }
    assert.equal(measures.length, entries.filter(({ sort }) => sort === "request").length);
  }, BROUGHT_ABOUT);
});

test("the policy to copy matches the configuration", async () => {
  await atTheBench(async (bench, page) => {
    const header = await page.locator("#policy pre").innerText();
    assert.match(header, /^Content-Security-Policy: /);
    for (const origin of [shop.baseUrl, shop.cardUrl]) assert.ok(header.includes(new URL(origin).origin), origin);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.locator("#policy").getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), header);
  });
});

const LOOKS = [
  { colorScheme: "light", language: "en", inChoice: true },
  { colorScheme: "light", language: "es" },
  { colorScheme: "dark", language: "en" },
  { colorScheme: "dark", language: "es", inChoice: true },
];

for (const { colorScheme, language } of screensOf(LOOKS)) {
  test(`axe passes and the layout holds at every width (${colorScheme}, ${language})`, async () => {
    await atTheBench(async (bench, page) => {
      await page.locator(`[data-language=${language}]`).click();
      await page.locator(".presets button").nth(1).click();
      await page.evaluate(() => document.querySelectorAll(".parameter-group").forEach((group) => (group.open = true)));
      await bench.run("transfer SourceOfFundsInvalid");
      await page.locator(".entry summary").first().click();
      await page.locator("input[name=icon]").fill("nothing");
      await page.locator("input[name=icon][aria-invalid=true]").waitFor();
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await layoutFaults(page), [], `at ${width} px`);
        assert.deepEqual(await axeProblems(page), [], `at ${width} px`);
      }
    }, { colorScheme, scripts: [AXE], ...BROUGHT_ABOUT });
  });
}

test("the workbench works by keyboard alone", async () => {
  await atTheBench(async (bench, page) => {
    const focused = () => page.evaluate(() => document.activeElement.name || document.activeElement.className || document.activeElement.tagName);
    await page.locator("select[name=scenario]").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".outcome-view[data-expected]").waitFor();
    // The verdict and what came are read out, not the dozen facts below them.
    assert.match(await page.locator(".picker [role=status]").last().innerText(), /^As expected: SenderUndetermined$/);
    await page.locator(".entries-room").focus();
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "SUMMARY");
    await page.keyboard.press("Enter");
    await page.locator(".entry details[open]").waitFor();
    await page.locator(".skip").press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  }, BROUGHT_ABOUT);
});

test("the workbench works without the sandbox's table of triggers", async () => {
  await shop.onPage(async (page) => {
    const headers = { "access-control-allow-origin": "*" };
    await page.route(/\/sandbox\/triggers$/, (route) => route.fulfill({ status: 404, headers, json: {} }));
    await page.goto(`${shop.shopUrl}/workbench.html`);
    await page.getByText("it is not a sandbox").waitFor();
    await page.locator(".card-status[data-status=ready]").waitFor();
    assert.equal(await page.locator("#scenario-form").isVisible(), false);
  }, BROUGHT_ABOUT);
});
