// The workbench's scenarios: each gives its stated result, shown with code that handles it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { passTimeUntil } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { enterCard } from "./support/fill.mjs";
import { triggerTable } from "./support/sandbox.mjs";
import { screensOf, shopSuite } from "./support/suite.mjs";
import { assertCode, PRIVATE, workbenchTest } from "./support/workbench.mjs";

const shop = shopSuite();
const benchTest = workbenchTest(shop);

const TYPES = await readFile(new URL("../../pkg-template/types/error.d.ts", import.meta.url), "utf8");
const [, UNION] = /type DocumentedErrorCode =([^;]*);/.exec(TYPES);
const DOCUMENTED = [...UNION.matchAll(/"(\w+)"/g)].map(([, code]) => code).sort();

/** The wrong input of scenarios that only open the form. */
const WRONG_INPUT = {
  "cardForm ExpiryDateRequired": { expiry: "" },
  "cardForm MinCardholderNames": { name: "Ana" },
};

/** Runs the scenarios of a sort and asserts their results. */
async function runAll(bench, sort, isIncluded = () => true) {
  await bench.chooseSort(sort);
  const outcomes = [];
  for (const { id, byHand } of (await bench.offered()).filter((one) => isIncluded(one.id))) {
    outcomes.push(await bench.run(id, byHand ? () => bench.enterAskedCard() : undefined));
    await bench.assertRunCode();
  }
  assert.deepEqual(outcomes.filter(({ isExpected }) => !isExpected), []);
  return outcomes;
}

/** Returns the codes of an outcome: the error's, its problems', and the service's without the SDK. */
function codesIn({ code, problems = "", "service.code": raw }) {
  return [code, raw, ...problems.split(", ").map((problem) => problem.split(": ")[1])].filter(Boolean);
}

// In Spanish, the shop's own words are checked too.
for (const { language } of screensOf([{ language: "en" }, { language: "es", inChoice: true }])) {
  benchTest(`every documented error is caused, worded (${language})`, { language }, async (bench, page) => {
    // The page does not see the codes of the card form's own server.
    const answers = [];
    page.on("response", (reply) => {
      if (reply.url().endsWith("/verify")) answers.push(reply.json().catch(() => ({})));
    });
    const { triggers } = await triggerTable(shop.baseUrl);
    assert.equal(DOCUMENTED.length, 67);
    assert.deepEqual([...new Set(triggers.map(({ code }) => code))].sort(), DOCUMENTED);
    const offered = await bench.offered();
    const keys = offered.map(({ id }) => id.replace(/ \d+$/, ""));
    assert.deepEqual(keys.sort(), triggers.map(({ operation, code }) => `${operation} ${code}`).sort());

    const reached = new Set();
    const links = new Set();
    for (const { id, byHand } of offered) {
      const [operation, code, number = 1] = id.split(" ");
      answers.length = 0;
      const { isExpected, facts } = await bench.run(id, byHand ? () => bench.enterAskedCard() : undefined);
      await bench.assertRunCode();
      const same = triggers.filter((one) => one.operation === operation && one.code === code);
      const { kind: _, ...details } = same[number - 1].means;
      const text = await page.locator(".scenario-about").innerText();
      const about = text.replaceAll(/(?<=\d{4}) (?=\d{4})/g, "");
      assert.doesNotMatch(about, /[{}]|undefined/, id);
      for (const detail of Object.values(details)) assert.ok(about.includes(detail), `${id}: ${about}`);
      for (const link of await page.locator(".run-docs a").all()) links.add(await link.getAttribute("href"));
      if (WRONG_INPUT[id]) {
        const verified = page.waitForResponse((reply) => reply.url().endsWith("/verify"));
        await enterCard(bench.frame, { number: GOOD_CARD, ...WRONG_INPUT[id] });
        await verified;
      }
      const answered = await Promise.all(answers);
      const codes = [...codesIn(facts), ...answered.map((answer) => answer.code)];
      assert.ok(isExpected && codes.includes(code), `${id}: ${JSON.stringify({ isExpected, facts, codes })}`);
      reached.add(code);
      if (language !== "es" || facts.code !== code || operation === "cardForm") continue;
      const words = await page.locator(".customer-words").innerText();
      assert.doesNotMatch(words, /\b(the|is|was|cannot|must|not)\b/i, `${id} is worded in English: ${words}`);
    }
    assert.deepEqual([...reached].sort(), DOCUMENTED);

    const outcome = await bench.run("transfer Max24HourSendAmountLimitReached");
    const { requestId, message, ...facts } = outcome.facts;
    assert.match(requestId, /^[0-9a-f-]{36}$/);
    assert.ok(message.length > 10);
    assert.deepEqual(facts, {
      code: "Max24HourSendAmountLimitReached",
      kind: "limit",
      resolution: "wait_for_reset",
      retryable: "false",
      httpStatus: "400",
      problems: "amount: Max24HourSendAmountLimitReached",
    });
    const last = page.locator(".entry[data-sort=call][data-tone=bad]").first();
    assert.match(await last.innerText(), /transfer\n.*Max24HourSendAmountLimitReached/s);

    assert.ok(links.size > DOCUMENTED.length, `${links.size} headings are linked`);
    await page.goto(`${shop.shopUrl}/docs.html`);
    const isMissing = (all) => all.filter((href) => !document.getElementById(href.split("#")[1]));
    assert.deepEqual(await page.evaluate(isMissing, [...links]), []);
  });
}

benchTest("every fault, clock jump and session behaviour gives its stated result", async (bench) => {
  // The unsettled fault takes half a minute and has its own test.
  await runAll(bench, "faults", (id) => id !== "fault drop unsettled");
  const jumps = await runAll(bench, "clock");
  const statuses = jumps.map(({ facts }) => facts.status).filter(Boolean);
  assert.deepEqual(statuses, ["EXPIRED", "Complete", "Failed"]);
  await runAll(bench, "cards", (id) => !id.startsWith("card "));
  await bench.run("session silent");
  assert.match(await bench.part("call"), /^const form = await remit\.cardForm\(\{\n {2}container: "#card",/m);
  assert.match(await bench.part("catch"), /^form\.on\("READY"/);
});

benchTest("a transfer with an unknown outcome is reconciled", async (bench, page) => {
  await bench.chooseSort("faults");
  await page.clock.install();
  const outcome = bench.run("fault drop unsettled");
  await passTimeUntil(page, () => page.locator(".outcome-view").count());
  const { isExpected, facts } = await outcome;
  assert.deepEqual([isExpected, facts.code, facts.resolution], [true, "OutcomeUnknown", "resume_attempt"]);
  await page.getByRole("button", { name: "Check now" }).click();
  const recovered = page.locator("[data-fact=recovered]");
  await passTimeUntil(page, () => recovered.count());
  assert.match(await recovered.innerText(), /true/);
});

benchTest("every test card gives its stated result", async (bench) => {
  const { testCards } = await triggerTable(shop.baseUrl);
  // The refused cards are among the errors.
  const accepted = testCards.filter(({ code }) => code === undefined).map(({ number }) => `card ${number}`);
  const outcomes = await runAll(bench, "cards", (id) => accepted.includes(id));
  assert.equal(outcomes.length, accepted.length);
});

const LARGE = { viewport: { width: 1440, height: 720 } };
benchTest("scenarios come first, and one press shows each starter's result", LARGE, async (bench, page) => {
  const headings = ["Scenarios", "Hosted card form", "Theme", "Timeline", "Content security policy"];
  assert.deepEqual(await page.locator("main h2").allInnerTexts(), headings);
  const starters = page.locator(".first button");
  assert.equal(await starters.count(), 5);
  for (const shown of [page.getByRole("navigation", { name: "On this page" }), starters.first()]) {
    const { y, height } = await shown.boundingBox();
    assert.ok(y + height <= 720, `visible at once: ${await shown.innerText()}`);
  }
  for (const link of await page.locator(".contents a").all()) {
    assert.equal(await page.locator(await link.getAttribute("href")).count(), 1);
  }
  for (const starter of await starters.all()) {
    await page.evaluate(() => document.querySelector(".outcome-view")?.remove());
    await starter.click();
    await page.locator(".outcome-view[data-expected]").waitFor();
    if ((await starter.innerText()) !== "The answer to a transfer is lost") continue;
    assert.equal(await page.locator("select[name=scenario]").inputValue(), "fault drop after");
    assert.equal(await page.locator("[data-fact=recorded] dd").innerText(), "1");
    assert.match(await page.locator(".run").innerText(), /Nothing to handle: the SDK settled it by itself\./);
  }
});

benchTest("a run shows both results and its code", { language: "es" }, async (bench, page) => {
  await bench.run("transfer QuoteAmountChanged");
  const texts = (css) => page.locator(css).allInnerTexts();
  assert.deepEqual(await texts(".compared dd"), ["QuoteAmountChanged", "QuoteAmountChanged"]);
  assert.deepEqual(await texts(".compared dt"), ["Se esperaba", "Resultado"]);
  assert.deepEqual(await texts(".verdict"), ["Como se esperaba"]);
  assert.match((await texts(".customer-words"))[0], /^El precio cambió\./);
  assert.deepEqual((await texts(".run h3")).map((title) => title.replace(/\d+/, "N")), [
    "La llamada",
    "Las llamadas anteriores",
    "El código que lo maneja",
    "Solicitudes y respuestas, sin datos personales (N)",
    "La solicitud con curl",
  ]);

  const before = await bench.part("before");
  assert.match(before, /^const \{ recipientId \} = await remit\.createRecipient\(/m);
  assert.match(before, /^const \{ quoteHistoryId \} = await remit\.quote\(\{\n {2}dstCountryIso3Code/m);
  const call = await bench.part("call");
  assert.match(call, /^const request = \{[^}]*\n {2}quoteHistoryId,\n\};\nawait remit\.transfer\(request\);/);
  assertCode(`${before}\n${call}`);
  const handler = await bench.part("catch");
  assertCode(handler);
  const head = "} catch (error) {\n  if (!isRemitError(error)) throw error;\n";
  const test = 'if (error.resolution === "fetch_new_quote")';
  assert.ok(handler.includes(`await remit.transfer(request);\n${head}  ${test}`));
  const wire = await bench.part("wire");
  assert.match(wire, /POST http:\/\/[^/]+\/v1\/transfers\nauthorization: Bearer \$TOKEN\n/);
  assert.match(wire, /"quoteHistoryId": "<quoteHistoryId>"/);
  assert.match(wire, /→ 400\n\n(.|\n)*"code": "QuoteAmountChanged"/);
  const curl = await bench.part("curl");
  assert.match(curl, /^curl -X POST 'http:\/\/[^']+\/v1\/transfers' \\\n {2}-H "authorization: Bearer /);
  assert.match(curl, / {2}-d '\{.*"quoteHistoryId":"<quoteHistoryId>"/);
});

benchTest("a refused field's code shows its cause and reports at the field", async (bench) => {
  await bench.run("createRecipient RecipientInvalidPhoneNumber");
  const call = await bench.part("call");
  assert.match(call, /"4711"/);
  assert.match(call, /\{ id: "firstName", value: "<firstName>" \}/);
  assert.match(await bench.part("catch"), /showAtField\(fieldId, message\)/);
  await bench.run("createRecipient InvalidRecipientName");
  assert.doesNotMatch(await bench.part("call"), /lastName/);
});

benchTest("every kind of outcome links to its documentation", async (bench, page) => {
  const found = new Map();
  const runs = {
    cards: ["session silent"],
    faults: ["fault status always", "fault status unauthorized", "fault drop after", "fault status once"],
    clock: ["clock session", "clock token"],
  };
  for (const [sort, ids] of Object.entries(runs)) {
    await bench.chooseSort(sort);
    for (const id of ids) {
      await bench.run(id);
      for (const link of await page.locator(".run-docs a").all()) {
        found.set(await link.evaluate(({ href }) => href), await link.innerText());
      }
    }
  }
  assert.ok(found.size >= 7, [...found.keys()].join(" "));
  for (const [href, title] of found) {
    await page.goto(href);
    assert.equal(await page.locator(":target").innerText(), title);
  }
});

benchTest("a run names no token, person, account or id", async (bench, page) => {
  const texts = [];
  const run = async (...args) => {
    await bench.run(...args);
    texts.push(await page.locator(".run").evaluate(({ textContent }) => textContent));
  };
  await run("transfer TransferDuplicatedByQuote");
  await run("createRecipient InvalidRecipientName");
  await run("updateSender InvalidSenderName");
  await run("transfer RecipientAccountNotFound");
  const [number, name] = ["4111111111111111", "Aurelia Quintana"];
  await bench.chooseSort("cards");
  await run(`card ${number}`, () => enterCard(bench.frame, { number, name }));
  const text = texts.join("\n");
  const { requests } = page.seen;
  const headers = requests.map((request) => request.headers.authorization).filter(Boolean);
  const tokens = new Set(headers.map((header) => header.replace("Bearer ", "")));
  const ids = requests.flatMap(({ url }) => new URL(url).pathname.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
  assert.ok(tokens.size >= 2 && ids.length > 0);
  for (const secret of [...tokens, ...ids, ...PRIVATE, number, number.slice(-6), name]) {
    assert.ok(!text.includes(secret), `${secret} is shown`);
  }
});
