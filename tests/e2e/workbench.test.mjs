// The workbench: its layout, the theme editor and the trace.

import assert from "node:assert/strict";
import { AXE } from "./support/axe.mjs";
import { assertStill, takeShifts, watchShifts } from "./support/budget.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { enterCard } from "./support/fill.mjs";
import {
  caughtUp,
  disappears,
  eventually,
  hasAttribute,
  hasCount,
  hasTexts,
  hasValue,
  isHidden,
  isShown,
  shows,
} from "./support/shown.mjs";
import { assertSound, CORS, shopSuite } from "./support/suite.mjs";
import { assertCode, CAUSED, Workbench, workbenchTest } from "./support/workbench.mjs";

const shop = shopSuite();
const benchTest = workbenchTest(shop);

function themeCode(parameters) {
  const lines = Object.entries(parameters).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},\n`);
  const theme = lines.length > 0 ? `  theme: {\n${lines.join("")}  },\n` : "";
  return `const form = await remit.cardForm({\n  container: "#card",\n${theme}});`;
}

function openParameters(page) {
  return page.locator(".parameter-group > summary").click();
}

shop.test("the shop and the workbench link to each other", async (_, page) => {
  await page.getByRole("link", { name: "Workbench" }).click();
  await page.getByRole("heading", { level: 1, name: "Workbench" }).waitFor();
  await page.getByRole("link", { name: "To the demo shop" }).click();
  await page.getByRole("heading", { level: 1, name: "Send money abroad" }).waitFor();
});

for (const width of [320, 1440]) {
  const options = { viewport: { width, height: 800 }, scripts: [watchShifts] };
  shop.pageTest(`the workbench opens without layout shifts at ${width} px`, options, async (page) => {
    await page.route(/\/(v1|sandbox|api)\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue().catch(() => {});
    });
    await new Workbench(page, shop.shopUrl).open();
    assertStill(await takeShifts(page), "opening");
  });
}

benchTest("a theme change updates form, code and address, and survives a reload", async (bench, page) => {
  const input = (name) => page.locator(`input[name=${name}]`);
  const select = (name) => page.locator(`select[name=${name}]`);
  const parameters = page.locator(".parameters [name]");
  assert.equal(new Set(await parameters.evaluateAll((all) => all.map(({ name }) => name))).size, 24);
  const before = new URL(await bench.address());
  assert.equal(before.search, "");
  await openParameters(page);
  await bench.hasCode(themeCode({}));
  const changes = page.locator(".theme-diff li");
  const same = page.getByText("Nothing differs.");
  await isShown(same);
  await hasCount(changes, 0);

  const theme = { primary: "#0a7a5a", lng: "es-MX", showStep: true };
  await page.locator("input.well").first().fill(theme.primary);
  await select("lng").selectOption(theme.lng);
  await select("showStep").selectOption("true");
  await bench.frame.locator("html[lang=es-MX]").waitFor();
  const { pathname, searchParams } = new URL(await bench.address());
  assert.equal(pathname, before.pathname, "the session is kept");
  const expected = [["lng", "es-MX"], ["primary", "#0a7a5a"], ["showStep", "1"]];
  assert.deepEqual([...searchParams].sort(), expected);
  const code = themeCode(theme);
  await bench.hasCode(code);
  assertCode(code);
  // settled: the form's own color never changes.
  const own = await input("primary").getAttribute("placeholder");
  await hasTexts(changes, [
    `primary ${own} → ${theme.primary}`,
    "lng Form’s own → es-MX",
    "showStep Form’s own → true",
  ]);
  const colors = (samples) => samples.map(({ style }) => style.backgroundColor);
  const samples = page.locator(".theme-diff span");
  const expectedColors = ["rgb(27, 79, 209)", "rgb(10, 122, 90)"];
  await eventually(async () => assert.deepEqual(await samples.evaluateAll(colors), expectedColors));
  await disappears(same);

  await page.waitForURL((url) => url.searchParams.get("showStep") === "true");
  await page.reload();
  await bench.formStatus("ready");
  await hasValue(input("primary"), theme.primary);
  await hasValue(page.locator("input.well").first(), theme.primary);
  await hasValue(select("showStep"), "true");
  await bench.hasCode(code);
  await bench.addressWith("primary=");

  await page.getByRole("button", { name: "Dark", exact: true }).click();
  const dark = /^import \{ darkTheme \} from "remitkit";\n(.|\n)*theme: \{\n {4}\.\.\.darkTheme,\n {2}\},\n/;
  await bench.hasCode(dark);
  await page.getByRole("button", { name: "Light" }).click();
  await bench.hasCode(themeCode({}));
  await isShown(same);
  await hasCount(changes, 0);
  await page.waitForURL((url) => url.search === "");
  await page.waitForFunction(() => !document.querySelector(".card-frame iframe").src.includes("?"));
});

benchTest("brand, radius and font are in sight, with code for each kind of page", async (bench, page) => {
  for (const name of ["primary", "buttonRadius", "font"]) {
    await isShown(page.locator(`input[name=${name}]`), name);
  }
  await isHidden(page.locator("input[name=icon]"), "the first parameters are in sight");
  await page.locator("input[name=primary]").fill("#0a7a5a");
  await bench.addressWith("primary=");
  const choice = (name) => page.locator(".theme-editor").getByRole("radio", { name });
  await choice("React").check();
  const jsx = /<CardForm\n {2}theme=\{\{\n {4}primary: "#0a7a5a",\n {2}\}\}\n {2}onCompleted=/;
  await bench.hasCode(jsx);
  await choice("HTML").check();
  await bench.hasCode(/^<remit-card-form\n {2}theme-primary="#0a7a5a"\n><\/remit-card-form>\n/);
  await page.locator("input[name=buttonRadius]").fill("8px");
  await bench.addressWith("buttonRadius=");
  await bench.hasCode(/theme-button-radius="8px"/);
  const html = await bench.code();
  assertCode(/<script type="module">([^]*)<\/script>/.exec(html)[1].replaceAll(/^ {2}/gm, ""));
});

benchTest("the preview takes the width of a phone and a dark page", async (bench, page) => {
  const frame = page.locator(".card-frame iframe");
  const before = await bench.address();
  await page.getByRole("button", { name: "On a phone" }).click();
  const { width } = await frame.boundingBox();
  assert.ok(width > 320 && width <= 360, `the frame is ${width} px wide`);
  const dark = page.getByRole("button", { name: "On a dark page" });
  await dark.click();
  await hasAttribute(dark, "aria-pressed", "true");
  const color = (room) => getComputedStyle(room).backgroundColor;
  const room = page.locator(".card-room");
  await eventually(async () => assert.equal(await room.evaluate(color), "rgb(16, 23, 20)"));
  await caughtUp(page);
  assert.equal(await bench.address(), before, "the form stays");
});

benchTest("changing the theme waits for a verification, and renews its session", async (bench, page) => {
  const before = new URL(await bench.address());
  const dark = page.getByRole("button", { name: "Dark", exact: true });
  await page.route(/\/verify$/, async (route) => {
    await dark.click();
    await route.continue();
  });
  await enterCard(bench.frame, { number: GOOD_CARD });
  await bench.formStatus("verified");
  assert.equal(await bench.address(), before.href);
  await page.getByRole("button", { name: "This shop’s" }).click();
  await bench.addressWith("primary=");
  await bench.formStatus("ready");
  assert.notEqual(new URL(await bench.address()).pathname, before.pathname);
  const renewals = page.locator(".entry[data-sort=call]").filter({ hasText: "cardForm.renew" });
  await hasCount(renewals, 1);
});

benchTest("invalid theme values are marked and not applied", async (bench, page) => {
  await bench.open("?buttonRadius=8&primary=%230a7a5a&lng=xx&showStep=true");
  await openParameters(page);
  const invalid = (name) => page.locator(`input[name=${name}][aria-invalid=true]`);
  await bench.hasCode(themeCode({ primary: "#0a7a5a", showStep: true }));
  await invalid("buttonRadius").waitFor();
  for (const [name, value] of [["text", "no color"], ["cardBackground", "javascript:1"]]) {
    await page.locator(`input[name=${name}]`).fill(value);
    await invalid(name).waitFor();
  }
  await page.locator("input[name=icon]").fill("#123456");
  await page.waitForURL((url) => url.searchParams.get("icon") === "#123456");
  assert.deepEqual([...new URL(page.url()).searchParams.keys()].sort(), ["icon", "primary", "showStep"]);
  await bench.hasCode(themeCode({ primary: "#0a7a5a", icon: "#123456", showStep: true }));
  await page.locator("input[name=text]").fill("#eee");
  await page.locator(".contrast.warning li").filter({ hasText: "text on foreground" }).waitFor();
  await hasCount(invalid("text"), 0);
});

benchTest("code is copied", async (bench, page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".theme-editor").getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await bench.code());
});

for (const colorScheme of ["light", "dark"]) {
  const name = `layout and axe find nothing at any width (${colorScheme})`;
  benchTest(name, { colorScheme, scripts: [AXE] }, async (bench, page) => {
    await page.locator(".presets button").nth(1).click();
    const open = (groups) => groups.forEach((group) => (group.open = true));
    await page.locator(".parameter-group").evaluateAll(open);
    await bench.run("transfer SourceOfFundsInvalid");
    await page.locator(".entry summary").first().click();
    await page.locator("input[name=icon]").fill("nothing");
    await page.locator("input[name=icon][aria-invalid=true]").waitFor();
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await assertSound(page, { axe: true, message: `at ${width} px` });
    }
  });
}

benchTest("the workbench works by keyboard alone", async (bench, page) => {
  await page.locator("select[name=scenario]").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".outcome-view[data-expected]").waitFor();
  // Only the verdict is announced, not the facts below it.
  const spoken = page.locator("#scenarios [role=status]").last();
  await shows(spoken, "As expected: done");
  await page.locator(".entries-room").focus();
  await page.keyboard.press("Tab");
  await page.locator("summary:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".entry details[open]").waitFor();
  assert.ok(JSON.parse(await bench.exported()).entries.length > 0);
  await page.locator(".skip").press("Enter");
  await page.locator("#main:focus").waitFor();
});

shop.pageTest("the workbench works without the sandbox's table of triggers", CAUSED, async (page) => {
  await page.route(/\/sandbox\/triggers$/, (route) => route.fulfill({ status: 404, headers: CORS }));
  await page.goto(`${shop.shopUrl}/workbench.html`);
  await page.getByText("it is not a sandbox").waitFor();
  await page.locator(".card-status[data-status=ready]").waitFor();
  await isHidden(page.locator("#scenario-form"), "the table of scenarios is missing");
});
