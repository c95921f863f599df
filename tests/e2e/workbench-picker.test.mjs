import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { GOOD_CARD } from "./support/checkout.mjs";
import { passTimeUntil } from "./support/clock.mjs";
import { screensOf } from "./support/screens.mjs";
import { triggerTable } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";
import { BROUGHT_ABOUT, benchOf } from "./support/workbench.mjs";

const shop = shopSuite();
const atTheBench = benchOf(shop);

// What the interface documents, as the package has it.
const TYPES = await readFile(new URL("../../pkg-template/types/error.d.ts", import.meta.url), "utf8");
const DOCUMENTED = [.../type DocumentedErrorCode =([^;]*);/.exec(TYPES)[1].matchAll(/"(\w+)"/g)].map(([, code]) => code);
// The clock was moved on.

/** Runs everything of a sort; gives how each ended. */
async function runAll(bench, sort, skip = () => false) {
  await bench.chooseSort(sort);
  const offered = (await bench.offered()).filter(({ id }) => !skip(id));
  const outcomes = [];
  for (const { id, byHand } of offered) {
    const enter = async () => bench.fillCard({ number: await bench.cardToEnter() });
    outcomes.push(await bench.run(id, byHand ? enter : undefined));
    await bench.mustShowCode();
  }
  return outcomes;
}

function assertAllExpected(outcomes) {
  const others = outcomes.filter(({ isExpected }) => !isExpected);
  assert.deepEqual(others, [], JSON.stringify(others, undefined, 2));
}

/** Returns the codes an experiment showed: the error's, its problems', and the service's past the SDK. */
function codesIn({ code, problems = "", "service.code": past }) {
  return [code, past, ...problems.split(", ").map((problem) => problem.split(": ")[1])].filter(Boolean);
}

// In Spanish the shop's own words are looked at as well.
for (const { language } of screensOf([{ language: "en" }, { language: "es", inChoice: true }])) {
  test(`every documented error is reached and worded for customers (${language})`, async () => {
    await atTheBench(async (bench, page) => {
      // What the card form's own server answers: the page hears of an event alone.
      const answers = [];
      page.on("response", (reply) => {
        if (reply.url().endsWith("/verify")) answers.push(reply.json().then(({ code }) => code, () => undefined));
      });
      await page.locator(`[data-language=${language}]`).click();
      const { triggers } = await triggerTable(shop.baseUrl);
      assert.equal(DOCUMENTED.length, 67);
      assert.deepEqual([...new Set(triggers.map(({ code }) => code))].sort(), DOCUMENTED.toSorted());
      await bench.chooseSort("errors");
      const offered = await bench.offered();
      assert.deepEqual(offered.map(({ id }) => id.replace(/ \d+$/, "")).toSorted(), triggers.map(({ operation, code }) => `${operation} ${code}`).sort());

      const reached = new Set();
      const linked = new Set();
      const others = [];
      for (const { id, byHand } of offered) {
        const [operation, code] = id.split(" ");
        answers.length = 0;
        const { isExpected, facts } = await bench.run(id, byHand ? async () => bench.fillCard({ number: await bench.cardToEnter() }) : undefined);
        await bench.mustShowCode();
        for (const link of await page.locator(".run-docs a").all()) linked.add(await link.getAttribute("href"));
        if (ENTERED_WRONG[id]) answers.push(await verifyWrong(bench, page, ENTERED_WRONG[id]));
        const codes = [...codesIn(facts), ...(await Promise.all(answers))];
        if (isExpected && codes.includes(code)) reached.add(code);
        else others.push({ id, isExpected, facts, codes });
        // The shop's words for it, in its own language.
        if (language === "es" && facts.code === code && operation !== "cardForm") {
          const words = await page.locator(".customer-words").innerText();
          assert.doesNotMatch(words, /\b(the|is|was|cannot|must|not)\b/i, `${id} is worded in English: ${words}`);
        }
      }
      assert.deepEqual(others, [], JSON.stringify(others, undefined, 2));
      assert.deepEqual([...reached].sort(), DOCUMENTED.toSorted());

      // An error is shown with all that a page branches on.
      const { facts } = await bench.run("transfer Max24HourSendAmountLimitReached");
      const { requestId, message, ...rest } = facts;
      assert.match(requestId, /^[0-9a-f-]{36}$/);
      assert.ok(message.length > 10);
      assert.deepEqual(rest, {
        code: "Max24HourSendAmountLimitReached",
        kind: "limit",
        resolution: "wait_for_reset",
        retryable: "false",
        httpStatus: "400",
        problems: "amount: Max24HourSendAmountLimitReached",
      });
      const last = page.locator(".entry[data-sort=call][data-tone=bad]").first();
      assert.match(await last.innerText(), /transfer\n.*Max24HourSendAmountLimitReached/s);

      // Each leads to what the documentation says of its code.
      assert.ok(linked.size > DOCUMENTED.length, `${linked.size} headings are linked`);
      await page.goto(`${shop.shopUrl}/docs.html`);
      const missing = await page.evaluate((all) => all.filter((href) => !document.getElementById(href.split("#")[1])), [...linked]);
      assert.deepEqual(missing, []);
    }, BROUGHT_ABOUT);
  });
}

// What is entered wrong by hand, where the workbench shows the form and no more.
const ENTERED_WRONG = {
  "cardForm ExpiryDateRequired": { expiry: "" },
  "cardForm MinCardholderNames": { name: "Ana" },
};

async function verifyWrong(bench, page, entered) {
  const answered = page.waitForResponse((reply) => reply.url().endsWith("/verify"));
  await bench.fillCard({ number: GOOD_CARD, ...entered });
  return (await (await answered).json()).code;
}

test("every fault, clock jump and session behaviour gives its stated result", async () => {
  await atTheBench(async (bench) => {
    // Half a minute long, and so a test of its own.
    assertAllExpected(await runAll(bench, "faults", (id) => id === "fault drop unsettled"));
    const jumps = await runAll(bench, "clock");
    assertAllExpected(jumps);
    assert.deepEqual(jumps.map(({ facts }) => facts.status).filter(Boolean), ["EXPIRED", "Complete", "Failed"]);
    assertAllExpected(await runAll(bench, "cards", (id) => id.startsWith("card ")));
  }, BROUGHT_ABOUT);
});

test("a transfer with an unknown outcome is reconciled", async () => {
  await atTheBench(async (bench, page) => {
    await bench.chooseSort("faults");
    // The SDK asks for half a minute; the page's clock is moved on instead of waiting.
    await page.clock.install();
    const passed = async (locator) => {
      await passTimeUntil(page, () => locator.count());
      assert.equal(await locator.count(), 1);
    };
    const outcome = bench.run("fault drop unsettled");
    await passed(page.locator(".outcome-view"));
    const { isExpected, facts } = await outcome;
    assert.deepEqual([isExpected, facts.code, facts.resolution], [true, "OutcomeUnknown", "resume_attempt"]);
    await page.getByRole("button", { name: "Check now" }).click();
    const recovered = page.locator("[data-fact=recovered]");
    await passed(recovered);
    assert.match(await recovered.innerText(), /true/);
  }, BROUGHT_ABOUT);
});

test("every test card gives its stated result", async () => {
  await atTheBench(async (bench) => {
    const { testCards } = await triggerTable(shop.baseUrl);
    // Those that are refused have been entered among the errors.
    const others = testCards.filter(({ code }) => code === undefined).map(({ number }) => `card ${number}`);
    const outcomes = await runAll(bench, "cards", (id) => !others.includes(id));
    assertAllExpected(outcomes);
    assert.equal(outcomes.length, others.length);
  }, BROUGHT_ABOUT);
});
