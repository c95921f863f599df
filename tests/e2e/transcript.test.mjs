// The checkout by keyboard, and what a screen reader announces on each page, in both languages. Review the
// golden files as their users would; REMITKIT_WRITE_DOCS=1 writes them.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { axeProblems } from "./support/axe.mjs";
import { GOOD_CARD } from "./support/checkout.mjs";
import { entryOf } from "./support/fill.mjs";
import { advanceClock, resetSandbox } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";
import { shopTexts } from "./support/texts.mjs";

const shop = shopSuite();
const CARD = {
  "card-number": GOOD_CARD,
  "card-expiry": "1234",
  "card-code": "123",
  "card-name": "Ana Garcia",
};
const MAX_STOPS = 40;
const WIDTH = 110;
/** Longer than a transfer to a card takes. */
const DELIVERY_S = 60;

const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|ene|abr|ago|dic)";
/** Replaces what varies from run to run, and shortens what a definition list reads. */
const VARIABLE = [
  [new RegExp(`${MONTH} \\d{1,2}(, \\d{4})?|\\d{1,2} (de )?${MONTH}( \\d{4})?`, "gi"), "DATE"],
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"],
  [/ GMT[+-]\d{1,2}(:\d\d)?/g, " ZONE"],
  [/\d{1,2}:\d\d(:\d\d)?([ \u00a0\u202f]?([AP]M|[ap]\.[ \u00a0]?m\.))?/g, "TIME"],
  [/· (tomorrow|Monday|mañana|lunes)$/gm, "· DAY"],
  [/\b\d{9,}\b/g, "NUMBER"],
  [/\d{1,3}(,\d{3})*\.\d+/g, "0.00"],
  [/[\u00a0\u202f]/g, " "],
  [/- term: (.+)\n +- definition:/g, "- term $1:"],
];
const OPTION = /- option (?!.*\[selected\])/;

const linesOf = (text) => {
  const constant = VARIABLE.reduce((made, [pattern, word]) => made.replace(pattern, word), text);
  return constant.split("\n").filter((line) => !OPTION.test(line));
};

/** Writes each line in both languages. Throws if the languages differ in more than their texts. */
function bilingual([english, spanish]) {
  assert.equal(english.length, spanish.length, "both languages have the same structure");
  return english.map((en, at) => {
    const es = spanish[at];
    const [role] = /^\s*(\[Tab\] |- )?([a-z]+:? )?/.exec(en);
    assert.ok(es.startsWith(role), `“${en}” is “${es}”`);
    return en === es ? en : `${en} | ${es.slice(role.length)}`;
  });
}

async function assertGolden(name, lines) {
  const file = new URL(`transcripts/${name}.txt`, import.meta.url);
  const text = `${lines.join("\n")}\n`;
  if (process.env.REMITKIT_WRITE_DOCS) await writeFile(file, text);
  assert.equal(text, await readFile(file, "utf8"));
}

/** Returns the accessibility tree of a page, with the controls in the card's frame. */
async function treeOf(page) {
  const [lines, inFrame = []] = await Promise.all(
    page.frames().map(async (frame) => linesOf(await frame.locator("body").ariaSnapshot())),
  );
  const controls = inFrame
    .filter((line) => /- (textbox|button)/.test(line))
    .map((line) => line.replace(/^ */, "      ").replace(/:$/, ""));
  return lines.flatMap((line) => (line.endsWith("- iframe") ? [`${line}:`, ...controls] : [line]));
}

/** Returns where the keyboard should stop: the controls of a tree, of radio buttons the chosen one. */
function controlsOf(lines) {
  const controls = lines.filter((line) => !/\[disabled\]|- radio "[^"]*"$|- text:/.test(line));
  return controls.map(nameOf).filter(Boolean);
}

/** Returns role and name of a control; a group that unfolds is heard as its text. */
function nameOf(line) {
  const [, name = "", unfolded = ""] =
    /- (?:((?:link|button|textbox|combobox|radio) "[^"]*")|(?:text|group): (.+))/.exec(line) ?? [];
  return name || unfolded;
}

/** Shortens the parts of an accessibility tree that are the same as in the trees `before`. */
function shorten(lines, before) {
  const shown = [];
  for (let at = 0; at < lines.length; ) {
    const indent = lines[at].search(/\S/);
    let end = at + 1;
    while (end < lines.length && lines[end].search(/\S/) > indent) end += 1;
    const part = lines.slice(at, end);
    const isRepeated = part.length > 2 && before.includes(part.join("\n"));
    if (isRepeated) shown.push(`${part[0]} as before`);
    else shown.push(part[0], ...shorten(part.slice(1), before));
    at = end;
  }
  return shown;
}

/** Writes a part of an accessibility tree on one line if it fits. */
function compact(lines, indent = 0) {
  const starts = lines.flatMap((line, at) => (line.search(/\S/) === indent ? [at] : []));
  return starts.flatMap((start, number) => {
    const part = lines.slice(start, starts[number + 1]);
    const text = part[0].trim();
    const inside = compact(part.slice(1), indent + 2);
    const children = inside.map((line) => line.trim().replace("- ", "")).join("; ");
    const isFlat = children && inside.every((line) => line.search(/\S/) === indent + 2);
    const isShort = text.length + children.length < WIDTH;
    return isFlat && isShort ? [`${" ".repeat(indent)}${text} { ${children} }`] : [part[0], ...inside];
  });
}

/** A customer without a mouse, and what they hear at each stop. */
class Keyboard {
  heard = [];

  constructor(page) {
    this.page = page;
  }

  /** Returns the page or the card's frame, whichever has the focus. */
  async document() {
    const isInFrame = await this.page.evaluate(() => document.activeElement.localName === "iframe");
    return isInFrame ? this.page.frames().find((frame) => frame.parentFrame()) : this.page;
  }

  /** Returns what a screen reader says about the focused element. */
  async announcement() {
    const lines = linesOf(await (await this.document()).locator(":focus").ariaSnapshot());
    return lines.map((line) => line.trim().replace(/^- (option )?/, "")).join(" ");
  }

  async tab() {
    await this.page.keyboard.press("Tab");
    this.heard.push(`[Tab] ${await this.announcement()}`);
  }

  async press(key) {
    await this.page.keyboard.press(key);
    this.heard.push(`[${key}]`);
  }

  async type(text) {
    await this.page.keyboard.type(text);
    this.heard.push(...linesOf(`[${text}]`));
  }

  /** Tabs on and fills in what is required, until the stop that `isLast`, and presses Enter there. */
  async goOn(language, isLast = ({ isSubmit }) => isSubmit) {
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      await this.tab();
      const at = await (await this.document()).evaluate(() => {
        const { id, type, localName, value, ariaRequired } = document.activeElement;
        const { field } = document.activeElement.closest("[data-field]")?.dataset ?? {};
        const isSubmit = document.activeElement.matches(".actions [type=submit], #verify");
        const isOpen = !value && ariaRequired === "true";
        return { id, field, type, localName, isOpen, isSubmit };
      });
      if (CARD[at.id]) await this.type(CARD[at.id]);
      else if (at.field && at.isOpen) await this.#fill(at, language);
      if (isLast(at)) return this.press("Enter");
    }
    throw new Error(`not reached within ${MAX_STOPS} stops:\n${this.heard.join("\n")}`);
  }

  async #fill({ field, type, localName }, language) {
    if (localName === "select") await this.press("ArrowDown");
    else if (type === "date") await this.type(language === "en" ? "05141990" : "14051990");
    else await this.type(entryOf({ id: field, type }));
  }
}

/** Sends a transfer and finds it again. Returns the tree of each page, and what the keyboard does there. */
async function checkOut(checkout, page, language) {
  const keyboard = new Keyboard(page);
  const pages = [];
  const look = async (what) => {
    if (what !== "amount") await checkout.hasFocus("step-title", what);
    keyboard.heard = what === "amount" ? [] : [await keyboard.announcement()];
    pages.push({ what, lines: await treeOf(page), heard: keyboard.heard });
    assert.deepEqual(await axeProblems(page), [], what);
  };

  await page.locator("[part=detail]").last().filter({ hasText: /\d/ }).waitFor();
  await look("amount");
  await keyboard.goOn(language);
  await checkout.step("recipient");
  await checkout.formLoaded();
  await checkout.field("ADDRESS_STATE").locator("option:nth-child(2)").waitFor({ state: "attached" });
  await look("recipient");
  await keyboard.goOn(language);
  await checkout.step("account");
  await checkout.cardStatus("ready");
  await checkout.frame.locator("#verify").waitFor();
  await look("card");
  await keyboard.goOn(language);
  await checkout.step("review");
  await checkout.readyToSend();
  await look("review");
  await keyboard.goOn(language);
  const { confirmationNumber } = await checkout.outcome();
  // Otherwise the status changes at some moment of its own.
  await advanceClock(shop.baseUrl, DELIVERY_S);
  const delivered = page.locator(".timeline li.reached:nth-child(3)");
  await delivered.waitFor();
  await look("done");
  await keyboard.goOn(language, ({ id }) => id === "open-transfers");
  await checkout.step("transfers");
  await page.locator(".transfer").first().waitFor();
  // Transfers of other tests.
  const others = page.locator(".transfers li:not(:first-child)");
  await others.evaluateAll((all) => all.forEach((one) => one.remove()));
  await look("transfers");
  await keyboard.tab();
  await keyboard.type(confirmationNumber);
  await keyboard.press("Enter");
  await delivered.waitFor();
  await look("a transfer, found again");
  return pages;
}

test("the keyboard alone sends a transfer and finds it again", async () => {
  const found = [];
  for (const language of ["en", "es"]) {
    // Neither customer has saved recipients.
    await resetSandbox(shop.baseUrl);
    await shop.inShop({ language }, async (checkout, page) => {
      found.push(await checkOut(checkout, page, language));
    });
  }
  for (const { what, lines, heard } of found.flat()) {
    const tabs = heard.filter((line) => line.startsWith("[Tab]"));
    const stops = tabs.map((line) => nameOf(line.replace("[Tab]", "-")));
    // Only a page that opens is read from its head; a step has the focus at its title.
    const start = what === "amount" ? 0 : lines.findIndex((line) => line.includes("[level=1]"));
    assert.deepEqual(stops, controlsOf(lines.slice(start)).slice(0, stops.length), what);
  }
  const [english] = found;
  const written = (part, show) => english.flatMap(({ what }, at) => {
    return [`# ${what}`, ...show(bilingual(found.map((pages) => pages[at][part]))), ""];
  });
  await assertGolden("keyboard", written("heard", (lines) => lines));
  let before = "";
  const tree = written("lines", (lines) => {
    const shown = compact(shorten(lines, before));
    before += `${lines.join("\n")}\n`;
    return shown;
  });
  await assertGolden("screen-reader", tree);
});

test("both languages fill in the same placeholders", () => {
  const placeholders = (text) => new Set(text.match(/\{\w+\}/g));
  for (const [key, [en, es]] of Object.entries(shopTexts)) {
    assert.deepEqual(placeholders(en), placeholders(es), key);
  }
});
