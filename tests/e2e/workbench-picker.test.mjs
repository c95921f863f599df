// The workbench's scenarios: each gives its stated result, shown with code that handles it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { passTimeUntil } from "./support/browser.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { enterCard } from "./support/fill.mjs";
import { triggerTable } from "./support/sandbox.mjs";
import {
  caughtUp,
  eventually,
  hasCount,
  hasTexts,
  hasValue,
  isAbsent,
  isShown,
  shows,
} from "./support/shown.mjs";
import { CORS, shopSuite } from "./support/suite.mjs";
import { PRIVATE, workbenchTest } from "./support/workbench.mjs";

const shop = shopSuite();
const benchTest = workbenchTest(shop);

const RUST = await readFile(new URL("../../src/api/code.rs", import.meta.url), "utf8");
const [, ROWS] = /^    documented \{\n(.*?)^    \}/ms.exec(RUST);
const DOCUMENTED = [...ROWS.matchAll(/^ +(\w+)/gm)].map(([, code]) => code).sort();

/** Scenarios that are about no single error of the service. */
const OTHER_SCENARIO = /^(card|session|fault|clock) /;
/** The wrong input of scenarios that only open the form. */
const WRONG_INPUT = {
  "cardForm ExpiryDateRequired": { expiry: "" },
  "cardForm MinCardholderNames": { name: "Ana" },
};

/** Runs the offered scenarios for which `isIncluded` holds, and asserts their results and links. */
async function runAll(bench, isIncluded) {
  const outcomes = [];
  for (const { id, byHand } of (await bench.offered()).filter((one) => isIncluded(one.id))) {
    outcomes.push(await bench.run(id, byHand ? () => bench.enterAskedCard() : undefined));
  }
  assert.deepEqual(outcomes.filter(({ isExpected }) => !isExpected), []);
  await assertDocumented(bench, outcomes);
  return outcomes;
}

/** Asserts that each outcome links to a heading of the documentation, that of its code if it has one. */
async function assertDocumented({ page }, outcomes) {
  const pages = new Map();
  for (const { id, facts, link } of outcomes) {
    const { pathname, hash } = new URL(link);
    const code = facts.code ?? facts["service.code"];
    if (code) assert.equal(pathname + hash, `/docs/errors.html#${code.toLowerCase()}`, id);
    if (facts.event) assert.equal(pathname + hash, "/docs/#card-form-events", id);
    pages.set(pathname, [...(pages.get(pathname) ?? []), hash.slice(1)]);
  }
  for (const [path, ids] of pages) {
    await page.goto(new URL(path, outcomes[0].link).href);
    const isMissing = (all) => all.filter((id) => !document.getElementById(id));
    assert.deepEqual(await page.evaluate(isMissing, ids), []);
  }
}

/** Returns the codes of an outcome: the error's, its problems', and the service's without the SDK. */
function codesIn({ code, problems = "", "service.code": raw }) {
  return [code, raw, ...problems.split(", ").map((problem) => problem.split(": ")[1])].filter(Boolean);
}

benchTest("every documented error is caused, and worded for the customer", async (bench, page) => {
  // The page does not see the codes of the card form's own server.
  const answers = [];
  page.on("response", (reply) => {
    if (reply.url().endsWith("/verify")) answers.push(reply.json().catch(() => ({})));
  });
  const { triggers } = await triggerTable(shop.baseUrl);
  assert.equal(DOCUMENTED.length, 67);
  assert.deepEqual([...new Set(triggers.map(({ code }) => code))].sort(), DOCUMENTED);
  const offered = (await bench.offered()).filter(({ id }) => !OTHER_SCENARIO.test(id));
  const keys = offered.map(({ id }) => id.replace(/ \d+$/, ""));
  assert.deepEqual(keys.sort(), triggers.map(({ operation, code }) => `${operation} ${code}`).sort());

  const reached = new Set();
  const outcomes = [];
  for (const { id, byHand } of offered) {
    const [operation, code, number = 1] = id.split(" ");
    answers.length = 0;
    const outcome = await bench.run(id, byHand ? () => bench.enterAskedCard() : undefined);
    outcomes.push(outcome);
    const { isExpected, facts } = outcome;
    const same = triggers.filter((one) => one.operation === operation && one.code === code);
    const { kind: _, ...details } = same[number - 1].means;
    // settled: the run has ended.
    const text = await page.locator(".scenario-about").innerText();
    const about = text.replaceAll(/(?<=\d{4}) (?=\d{4})/g, "");
    assert.doesNotMatch(about, /[{}]|undefined/, id);
    for (const detail of Object.values(details)) assert.ok(about.includes(detail), `${id}: ${about}`);
    if (WRONG_INPUT[id]) {
      const verified = page.waitForResponse((reply) => reply.url().endsWith("/verify"));
      await enterCard(bench.frame, { number: GOOD_CARD, ...WRONG_INPUT[id] });
      await verified;
    }
    const answered = await Promise.all(answers);
    const codes = [...codesIn(facts), ...answered.map((answer) => answer.code)];
    assert.ok(isExpected && codes.includes(code), `${id}: ${JSON.stringify({ isExpected, facts, codes })}`);
    reached.add(code);
    if (facts.code !== code || operation === "cardForm") continue;
    // settled: the run has ended.
    const words = await page.locator(".customer-words").innerText();
    assert.match(words, /^[A-Z][^.]+\. [A-Z].*\.$/, id);
    assert.doesNotMatch(words, /undefined/, id);
  }
  assert.deepEqual([...reached].sort(), DOCUMENTED);

  const limit = outcomes.find(({ id }) => id === "transfer Max24HourSendAmountLimitReached");
  const { requestId, message, ...facts } = limit.facts;
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
  await assertDocumented(bench, outcomes);
});

benchTest("every fault, clock jump and session behavior gives its stated result", async (bench) => {
  // The unsettled fault takes half a minute and has its own test.
  await runAll(bench, (id) => id.startsWith("fault ") && id !== "fault drop unsettled");
  await bench.open();
  const jumps = await runAll(bench, (id) => id.startsWith("clock "));
  const statuses = jumps.map(({ facts }) => facts.status).filter(Boolean);
  assert.deepEqual(statuses, ["EXPIRED", "Complete", "Failed"]);
  await bench.open();
  await runAll(bench, (id) => id.startsWith("session "));
});

benchTest("a transfer with an unknown outcome is reconciled", async (bench, page) => {
  await page.clock.install();
  const outcome = bench.run("fault drop unsettled");
  await passTimeUntil(page, () => page.locator(".outcome-view").count());
  const { isExpected, facts } = await outcome;
  assert.deepEqual([isExpected, facts.code, facts.resolution], [true, "OutcomeUnknown", "resume_attempt"]);
  // Experiments are not among the customer's interrupted transfers, which outlive their page.
  const stored = await page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return [...databases, ...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  });
  assert.deepEqual(stored.filter((name) => name.includes("remit")), []);
  await page.getByRole("button", { name: "Check now" }).click();
  const recovered = page.locator("[data-fact=recovered]");
  await passTimeUntil(page, () => recovered.count());
  await shows(recovered, /true/);
});

benchTest("every test card gives its stated result", async (bench) => {
  const { testCards } = await triggerTable(shop.baseUrl);
  // The refused cards are among the errors.
  const accepted = testCards.filter(({ code }) => code === undefined).map(({ number }) => `card ${number}`);
  const outcomes = await runAll(bench, (id) => accepted.includes(id));
  assert.equal(outcomes.length, accepted.length);
});

const LARGE = { viewport: { width: 1440, height: 720 } };
benchTest("scenarios come first, and one press shows each starter's result", LARGE, async (bench, page) => {
  const headings = ["Scenarios", "Hosted card form", "Theme", "Timeline"];
  await hasTexts(page.locator("main h2"), headings);
  const starters = page.locator(".first button");
  await hasCount(starters, 5);
  for (const shown of [page.getByRole("navigation", { name: "On this page" }), starters.first()]) {
    const { y, height } = await shown.boundingBox();
    assert.ok(y + height <= 720, `visible at once: ${shown}`);
  }
  for (const link of await page.locator(".contents a").all()) {
    // settled: the contents never change.
    await hasCount(page.locator(await link.getAttribute("href")), 1);
  }
  for (const starter of await starters.all()) {
    await page.evaluate(() => document.querySelector(".outcome-view")?.remove());
    await starter.click();
    await page.locator(".outcome-view[data-expected]").waitFor();
    // settled: the starters never change.
    if ((await starter.innerText()) !== "The answer to a transfer is lost") continue;
    await hasValue(page.locator("select[name=scenario]"), "fault drop after");
    await shows(page.locator("[data-fact=recorded] dd"), "1");
    await shows(page.locator(".run"), /Nothing to handle: the SDK settled it by itself\./);
    await page.waitForURL((url) => url.searchParams.get("scenario") === "fault drop after");
  }
  await starters.filter({ hasText: "wait and retry" }).click();
  await starters.filter({ hasText: "A field is missing" }).click();
  const overtaking = page.locator("[data-scenario='createRecipient InvalidRecipientName']");
  await overtaking.waitFor();
  await page.locator(".entry[data-sort=call]").filter({ hasText: "Aborted" }).first().waitFor();
  await caughtUp(page);
  await isShown(overtaking, "the overtaken run has ended, and shows nothing");
  await page.getByRole("button", { name: "Reset the sandbox" }).click();
  await page.locator(".outcome").getByText("The sandbox is as it was at the start").waitFor();
  assert.ok((await bench.run("transfer QuoteAmountChanged")).isExpected, "its recipient is created again");
});

benchTest("a run shows both results and its code", async (bench, page) => {
  await bench.run("transfer QuoteAmountChanged");
  const texts = (css) => page.locator(css).allInnerTexts();
  assert.deepEqual(await texts(".compared dd"), ["QuoteAmountChanged", "QuoteAmountChanged"]);
  assert.deepEqual(await texts(".compared dt"), ["Expected", "Result"]);
  assert.deepEqual(await texts(".verdict"), ["As expected"]);
  assert.match((await texts(".customer-words"))[0], /^The price has changed\./);

  const call = await bench.part("call");
  assert.match(call, /^const request = \{[^}]*\n {2}quoteHistoryId,\n\};\nawait remit\.transfer\(request\);/);
  const handler = await bench.part("catch");
  const head = "} catch (error) {\n  if (!isRemitError(error)) throw error;\n";
  const test = 'if (error.resolution === "fetch_new_quote")';
  assert.ok(handler.includes(`await remit.transfer(request);\n${head}  ${test}`));
  const wire = await bench.part("wire");
  assert.match(wire, /POST http:\/\/[^/]+\/v1\/transfers\nauthorization: Bearer \$TOKEN\n/);
  assert.match(wire, /"quoteHistoryId": "<quoteHistoryId>"/);
  assert.match(wire, /→ 400\n\n(.|\n)*"code": "QuoteAmountChanged"/);
  assert.equal((await texts(".run summary")).at(-1), "The request with curl");
  const last = page.locator(".entry[data-sort=call][data-tone=bad]").first();
  await shows(last, /transfer\n.*QuoteAmountChanged/s);
  const refused = page.locator(".entry[data-sort=request][data-tone=bad]").first();
  await shows(refused, /POST transfer\n400/);

  await page.route(/\/v1\/quote/, (route) => route.fulfill({ status: 403, headers: CORS, json: [] }));
  assert.equal((await bench.run("fault status once")).isExpected, false);
  assert.deepEqual(await texts(".compared dd"), ["done", "AccessDenied"]);
  assert.deepEqual(await texts(".verdict"), ["Not as expected"]);
});

benchTest("the code of a run shows its cause, the caller, the form and how to handle it", async (bench) => {
  await bench.run("createRecipient RecipientInvalidPhoneNumber");
  const call = await bench.part("call");
  assert.match(call, /"4711"/);
  assert.match(call, /\{ id: "firstName", value: "<firstName>" \}/);
  assert.match(await bench.part("catch"), /showAtField\(fieldId, message\)/);
  await bench.run("createRecipient InvalidRecipientName");
  assert.doesNotMatch(await bench.part("call"), /lastName/);
  await bench.run("transfer SenderUndetermined");
  const byClient = /^\/\/ clientKit: its token names no sender\n(.|\n)*await clientKit\.transfer\(/;
  assert.match(await bench.part("call"), byClient);
  await bench.run("transfer TransferDuplicatedByQuote");
  assert.match(await bench.part("call"), /await remit\.transfer\(request\);$/);
  // The sandbox is asked afterwards what it has recorded.
  await bench.run("fault drop after");
  assert.doesNotMatch(await bench.part("wire"), /\/sandbox\//);
  await bench.run("session silent");
  assert.match(await bench.part("call"), /^const form = await remit\.cardForm\(\{\n {2}container: "#card",/m);
  assert.match(await bench.part("catch"), /^form\.on\("READY"/);
});

benchTest("the curl command of a run makes its request again", async (bench, page) => {
  const cause = `it's "$TOKEN" \\ \`id\``;
  await page.route(/\/sandbox\/triggers$/, async (route) => {
    const table = await (await route.fetch()).json();
    table.triggers.find(({ code }) => code === "SourceOfFundsInvalid").means.value = cause;
    await route.fulfill({ headers: CORS, json: table });
  });
  await bench.open();
  for (const [id, method, path] of [
    ["transfer SourceOfFundsInvalid", "POST", /^\/v1\/transfers$/],
    ["transfer TransferDuplicatedByQuote", "POST", /^\/v1\/transfers$/],
    ["fault drop after", "POST", /^\/v1\/transfers$/],
    ["fault status once", "GET", /^\/v1\/quote$/],
    ["clock complete", "GET", /^\/v1\/transfers\/[0-9a-f-]{36}$/],
  ]) {
    await bench.run(id);
    const { requests } = page.seen;
    const sent = requests.findLast((one) => one.method === method && path.test(new URL(one.url).pathname));
    const body = JSON.parse(sent.body || "null");
    const token = sent.headers.authorization.replace("Bearer ", "");
    const { headers, ...again } = await bench.curlRequest(token);
    assert.deepEqual(again, { method, urls: [sent.url], body }, id);
    assert.deepEqual({ ...sent.headers, ...headers }, sent.headers);
    assert.ok(headers.authorization);
    if (body) assert.equal(headers["content-type"], "application/json");
    if (id.endsWith("Invalid")) assert.equal(body.sourceOfFunds, cause);
  }
});

benchTest("runs and the exported trace name no token, person, account or id", async (bench, page) => {
  // Playwright sees the bodies of intercepted requests only.
  await page.route(/\/v1\//, (route) => route.continue());
  const outcomes = [];
  for (const id of [
    "transfer TransferDuplicatedByQuote",
    "createRecipient InvalidRecipientName",
    "updateSender InvalidSenderName",
    "transfer RecipientAccountNotFound",
  ]) {
    outcomes.push(await bench.run(id));
  }
  const card = { number: "4111111111111111", name: "Aurelia Quintana" };
  outcomes.push(await bench.run(`card ${card.number}`, () => enterCard(bench.frame, card)));
  const trace = await bench.exported();
  const { format, entries } = JSON.parse(trace);
  assert.equal(format, "remitkit-trace");
  await hasCount(page.locator(".entry"), entries.length);
  const named = entries.map(({ sort, name, result }) => `${sort} ${name} ${result}`).join("\n");
  assert.match(named, /^call transfer done · \d+ ms$/m);
  assert.match(named, /^call createRecipient InvalidRecipientName · \d+ ms$/m);
  assert.match(named, /^request POST transfer 200 · \d+ ms$/m);
  assert.match(named, /^event CARD_VALIDATION_STOP_SUCCESS $/m);
  assert.match(named, /^action raw status \d+ · code TransferDuplicatedByQuote$/m);

  const { requests } = page.seen;
  const bodies = requests.map(({ body }) => body).join();
  for (const secret of PRIVATE) assert.ok(bodies.includes(secret), `${secret} is not sent`);
  const headers = requests.map((request) => request.headers.authorization).filter(Boolean);
  const tokens = new Set(headers.map((header) => header.replace("Bearer ", "")));
  const ids = requests.flatMap(({ url }) => new URL(url).pathname.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
  assert.ok(tokens.size >= 2 && ids.length > 0);
  const own = [card.number, card.number.slice(-6), "12/34", ...card.name.split(" ")];
  const text = [trace, ...outcomes.map((outcome) => outcome.text)].join("\n");
  for (const secret of [...tokens, ...PRIVATE, ...own]) {
    assert.ok(!text.includes(secret), `${secret} is shown`);
  }
  // Only a curl command has ids, without which it could not be run.
  const beside = [trace, ...outcomes.map((outcome) => outcome.text.replace(outcome.curl, ""))].join("\n");
  for (const id of ids) assert.ok(!beside.includes(id), `${id} is shown`);

  const measures = await page.evaluate(() => {
    const all = performance.getEntriesByType("measure").filter(({ name }) => name.startsWith("remitkit:"));
    return all.map(({ name, detail }) => `${name} ${Object.keys(detail)}`);
  });
  assert.equal(measures.length, entries.filter(({ sort }) => sort === "request").length);
  for (const measure of measures) assert.match(measure, /^remitkit:[A-Za-z]+ operation,attempt,status$/);
});

benchTest("the lost answer comes first, and is drawn as a sequence", async (bench, page) => {
  await hasValue(page.locator("select[name=scenario]"), "fault drop after");
  assert.equal(new URL(page.url()).search, "", "nothing was chosen yet");
  await page.getByRole("button", { name: "Run it" }).click();
  const rows = page.getByRole("list", { name: "What went between page and service" }).getByRole("listitem");
  await rows.filter({ hasText: "One transfer" }).waitFor();
  // settled: the sequence is drawn once the run has ended.
  const texts = (await rows.allInnerTexts()).map((text) => text.trim());
  assert.deepEqual(texts.slice(0, 2), ["POST /v1/transfers", "The transfer is made"], texts.join("\n"));
  assert.match(texts[2], /^The reply is lost(, and the browser repeats the POST)?$/);
  assert.match(texts.at(-3), /^GET \/v1\/transfers\//);
  assert.deepEqual(texts.slice(-2), ["200", "One transfer"]);
  // Here nothing was made when the reply was lost.
  await bench.run("fault drop commit");
  await hasCount(rows.filter({ hasText: "One transfer" }), 1);
  await isAbsent(rows.filter({ hasText: "The transfer is made" }), "the run has ended");
});

benchTest("scenarios are found by words, and the address keeps the one chosen", async (_, page) => {
  const [filter, select] = [page.getByLabel("Find a scenario"), page.locator("select[name=scenario]")];
  // settled: the workbench is open.
  const all = await select.locator("option").count();
  assert.ok(all > 100);
  await filter.fill("transfer limit");
  await eventually(async () => {
    const found = await select.locator("option").evaluateAll((options) => options.map(({ value }) => value));
    assert.ok(found.length > 0 && found.length < 20, String(found));
    assert.ok(found.every((id) => /transfer/i.test(id) && /limit/i.test(id)), String(found));
  });
  const id = "transfer Max24HourSendAmountLimitReached";
  await select.selectOption(id);
  await page.waitForURL((url) => url.searchParams.get("scenario") === id);
  await filter.fill("nothing has this");
  await hasCount(select.locator("option"), 0);
  await page.getByRole("button", { name: "Run it" }).click();
  await caughtUp(page);
  await isAbsent(page.locator(".outcome-view"), "there is nothing to run");
  await page.reload();
  await page.locator("select[name=scenario] option").first().waitFor({ state: "attached" });
  await hasValue(select, id);
  await page.goto(`${page.url()}&run`);
  await page.locator(`[data-scenario='${id}'][data-expected]`).waitFor();
});

benchTest("field definitions are shown, persons are not", async (bench) => {
  await bench.run("createRecipient RecipientInvalidPhoneNumber");
  const wire = await bench.part("wire");
  assert.match(wire, /"fieldSetId": "PERSONAL_INFORMATION"/);
  assert.match(wire, /"regex": "[^<]/);
  assert.match(wire, /"fieldSetName": "Personal information"/);
  const call = await bench.part("call");
  assert.match(call, /\{ id: "firstName", value: "<firstName>" \}/);
});
