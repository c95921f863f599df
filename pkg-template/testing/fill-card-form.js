import { invalid } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";

const FRAME = 'iframe[src*="/v2/add-card/"]';
// By autofill names, or by the ids of the sandbox's form, which turns autofill off.
const FIELDS = {
  number: "[autocomplete='cc-number'], #card-number",
  expiry: "[autocomplete='cc-exp'], #card-expiry",
  securityCode: "[autocomplete='cc-csc'], #card-code",
  name: "[autocomplete='cc-name'], #card-name",
};
const DETAILS = ["card", "expiry", "securityCode", "name", "verify"];
const VERIFY = "#verify";
/** Far ahead, as the sandbox's clock may have been advanced. */
const YEARS_AHEAD = 9;

export async function fillCardForm(target, details = {}) {
  const form = formIn(target);
  const given = readKnown(details, DETAILS, "InvalidRequest", "details");
  const { card, expiry = farExpiry(), securityCode = "123", name = "Ana Garcia", verify = true } = given;
  const values = { number: readCard(card), expiry, securityCode, name };
  for (const [field, selector] of Object.entries(FIELDS)) {
    await form.locator(selector).fill(values[field]);
  }
  if (verify) await form.locator(VERIFY).click();
}

// A frame or a frame locator is the form; a page contains it.
function formIn(target) {
  if (typeof target?.locator !== "function") {
    throw invalid("InvalidRequest", "target", "Playwright's Page, Frame or FrameLocator");
  }
  return typeof target.mainFrame === "function" ? target.frameLocator(FRAME) : target;
}

function readCard(card) {
  const number = typeof card === "object" && card !== null ? card.number : card;
  if (typeof number !== "string" || !/^[\d ]+$/.test(number)) {
    throw invalid("InvalidRequest", "card", "one of testCards, or a card number as text");
  }
  return number;
}

function farExpiry() {
  return `12/${String(new Date().getFullYear() + YEARS_AHEAD).slice(-2)}`;
}
