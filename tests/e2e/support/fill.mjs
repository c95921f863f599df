// Fills the shop's forms. Shared by the tests in Chromium, those through WebDriver, and the random walks.

const VALUES = {
  numbers: {
    MEX: "032180000118359719",
    JPN: "1234567",
    KWT: "KW81CBKU0000000000001234560101",
    DEU: "DE89370400440532013000",
    GBR: "12345678",
    other: "1234567890",
  },
  texts: {
    firstName: "Ana María",
    lastName: "García",
    companyName: "Textiles del Sur",
    ADDRESS_LINE_1: "Calle Madero 12",
    ADDRESS_CITY: "Centro",
    ADDRESS_ZIP: "1000001",
    other: "Ejemplo",
  },
};

export function entryOf({ id, type }, country, { numbers, texts } = VALUES) {
  if (type === "date") return "1990-05-14";
  if (type === "tel") return "5512345678";
  if (id.endsWith("ACCOUNT_NUMBER")) return numbers[country] ?? numbers.other;
  if (id === "IBAN") return country === "DEU" ? numbers.DEU : numbers.KWT;
  return texts[id] ?? texts.other;
}

/**
 * A script for the page: fills each required field that is empty or invalid, and returns how many dropdowns
 * still wait for their options.
 */
export function fillScript(country) {
  const fill = (country, values, entryOf) => {
    const fields = [...document.querySelectorAll(".field-form [data-field]:not([hidden]) [aria-required=true]")];
    const open = fields.filter(({ value, ariaInvalid }) => !value || ariaInvalid === "true");
    const waiting = open.filter((control) => {
      const { name, type: kind, localName } = control;
      if (localName === "select") {
        const option = [...control.options].find(({ value, disabled }) => value && !disabled);
        if (!option) return true;
        control.value = option.value;
      } else control.value = entryOf({ id: name, type: kind }, country, values);
      for (const type of ["input", "change", "blur"]) {
        control.dispatchEvent(new Event(type, { bubbles: true }));
      }
      return false;
    });
    return waiting.length;
  };
  return `(${fill})(${JSON.stringify(country)}, ${JSON.stringify(VALUES)}, ${entryOf})`;
}

/** Enters a card in the hosted form and verifies it. `frame` is a Playwright frame locator. */
export async function enterCard(frame, card, options) {
  const { number, expiry = "12/34", code = "123", name = "Ana Garcia" } = card;
  await frame.locator("#card-number").fill(number, options);
  if (expiry) await frame.locator("#card-expiry").fill(expiry);
  await frame.locator("#card-code").fill(code);
  await frame.locator("#card-name").fill(name);
  await frame.locator("#verify").click();
}
