// The whole path by keyboard alone, and what a screen reader announces on each page. Review the golden files
// as a user of these would; REMITKIT_WRITE_DOCS=1 writes them.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { entryOf, GOOD_CARD } from "./support/checkout.mjs";
import { advanceClock } from "./support/sandbox.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const CARD = { "card-number": GOOD_CARD, "card-expiry": "1234", "card-code": "123", "card-name": "Ana Garcia" };
const MOST_STOPS = 40;
const UNTIL_IT_ARRIVES_S = 60;

const MONTH = "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)";
/** What changes from run to run is written alike. */
const ALIKE = [
  [new RegExp(`${MONTH} \\d{1,2}(, \\d{4})?|\\d{1,2} (de )?${MONTH}( \\d{4})?`, "g"), "DATE"],
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"],
  [/\d{1,2}:\d\d(:\d\d)?([ \u00a0\u202f]?([AP]M|[ap]\.[ \u00a0]?m\.))?/g, "TIME"],
  [/\b\d{9,}\b/g, "NUMBER"],
  [/\d{1,3}(,\d{3})*\.\d+/g, "0.00"],
  [/[\u00a0\u202f]/g, " "],
];

const alike = (text) => ALIKE.reduce((made, [pattern, word]) => made.replace(pattern, word), text);

async function mustBeGolden(name, lines) {
  const file = new URL(`transcripts/${name}.txt`, import.meta.url);
  const text = `${alike(lines.join("\n"))}\n`;
  if (process.env.REMITKIT_WRITE_DOCS) await writeFile(file, text);
  assert.equal(text, await readFile(file, "utf8"));
}

/** Shortens the landmarks that read as on the page before to their first lines. */
function unrepeated() {
  let before = [];
  return (snapshot) => {
    const landmarks = snapshot.split(/\n(?=- )/);
    const shown = landmarks.map((one) => (before.includes(one) ? `${one.split("\n")[0]} as before` : one));
    before = landmarks;
    return shown;
  };
}

/** Somebody without a mouse, and what they hear at each stop. */
class Keyboard {
  heard = [];

  constructor(page) {
    this.page = page;
  }

  /** The document that has the keyboard: the page, or the card's frame. */
  async document() {
    const isInFrame = await this.page.evaluate(() => document.activeElement.localName === "iframe");
    return isInFrame ? this.page.frames().find((frame) => frame.parentFrame()) : this.page;
  }

  async press(key) {
    await this.page.keyboard.press(key);
    this.heard.push(`[${key}]`);
    if (key === "Tab") await this.hear();
  }

  async hear() {
    const focus = (await this.document()).locator(":focus");
    // Nothing has it before the first key.
    if ((await focus.count()) === 0) return;
    // Of what can be chosen, what is.
    const lines = (await focus.ariaSnapshot()).split("\n").filter((line) => !/- option (?!.*\[selected\])/.test(line));
    this.heard.push(`  ${lines.map((line) => line.trim()).join(" ")}`);
  }

  async type(text) {
    await this.page.keyboard.type(text);
    this.heard.push(`[${text}]`);
  }

  /** Tabs on, filling in what is needed, until the stop that `isLast`. */
  async goOn(language, isLast) {
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      await this.press("Tab");
      const place = await this.document();
      const at = await place.evaluate(() => {
        const { id, dataset, type, localName, value, ariaRequired } = document.activeElement;
        const isSubmit = document.activeElement.matches(".actions [type=submit], #verify");
        return { id, field: dataset.field, type, localName, isEmpty: !value, isNeeded: ariaRequired === "true", isSubmit };
      });
      if (CARD[at.id]) await this.type(CARD[at.id]);
      else if (at.field && at.isNeeded && at.isEmpty) await this.#fill(at, language);
      if (isLast(at)) return;
    }
    throw new Error(`not reached within ${MOST_STOPS} stops:\n${this.heard.slice(-MOST_STOPS).join("\n")}`);
  }

  async #fill({ field, type, localName }, language) {
    if (localName === "select") await this.press("ArrowDown");
    else if (type === "date") await this.type(language === "en" ? "05141990" : "14051990");
    else await this.type(entryOf({ id: field, type }));
  }
}

for (const language of ["en", "es"]) {
  test(`the keyboard alone sends a transfer and finds it again (${language})`, async () => {
    await shop.inShop(async (checkout, page) => {
      const keyboard = new Keyboard(page);
      const tree = [];
      const sinceLast = unrepeated();
      const look = async (what) => {
        keyboard.heard.push("", `# ${what}`);
        await keyboard.hear();
        tree.push(`# ${what}`, ...sinceLast(await page.locator("body").ariaSnapshot()), "");
        assert.deepEqual(await axeProblems(page), [], what);
      };
      const submit = ({ isSubmit }) => isSubmit;

      await look("amount");
      await keyboard.goOn(language, submit);
      await keyboard.press("Enter");
      await checkout.step("recipient");
      await page.locator(".field-form").waitFor();
      await page.locator("[data-field=ADDRESS_STATE]:enabled").waitFor();
      await look("recipient");
      await keyboard.goOn(language, submit);
      await keyboard.press("Enter");
      await checkout.step("account");
      await page.locator(".card-status[data-status=ready]").waitFor();
      await checkout.frame.locator("#verify").waitFor();
      await look("card");
      await keyboard.goOn(language, submit);
      await keyboard.press("Enter");
      await checkout.step("review");
      await checkout.readyToSend();
      await look("review");
      await keyboard.goOn(language, submit);
      await keyboard.press("Enter");
      const { confirmationNumber } = await checkout.outcome();
      // Until it arrives its status changes by itself, here sooner and there later.
      await advanceClock(shop.baseUrl, UNTIL_IT_ARRIVES_S);
      const arrived = page.locator(".timeline li.reached:nth-child(3)");
      await arrived.waitFor();
      await look("done");
      await keyboard.goOn(language, ({ id, localName, type }) => localName === "button" && type === "button" && id === "open-transfers");
      await keyboard.press("Enter");
      await checkout.step("transfers");
      await page.locator(".transfer").first().waitFor();
      // Those of other tests are no part of it.
      await page.locator(".transfers li:not(:first-child)").evaluateAll((others) => others.forEach((one) => one.remove()));
      await look("transfers");
      await keyboard.press("Tab");
      await keyboard.type(confirmationNumber);
      await keyboard.press("Enter");
      await arrived.waitFor();
      await look("a transfer, found again");
      await mustBeGolden(`keyboard-${language}`, keyboard.heard);
      await mustBeGolden(`screen-reader-${language}`, tree);
    }, { scripts: [AXE], locale: language === "es" ? "es-MX" : "en-US" });
  });
}
