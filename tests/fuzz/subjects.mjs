// How each export is called with random arguments, and how to tell whether it did what they say.
//
// A subject has `make(chance, world)`, which returns the arguments;
// `call(bench, args)`; and `difference(twin, …)`, which gets the same arguments made a
// second time, as the call has used up the first ones.

import { changed } from "./changes.mjs";
import { formSubjects } from "./form-subjects.mjs";
import { kitSubjects } from "./kit-subjects.mjs";
import { same, said } from "./said.mjs";
import { OPERATIONS } from "./operations.mjs";
import { ID, REQUESTS } from "./samples.mjs";
import { anyArguments, callOptions, differenceOf, listed } from "./sending.mjs";
import { hostile } from "./values.mjs";

const BRAND = Symbol.for("remitkit.error");

const operation = (name, given) => ({
  make(chance, world) {
    if (chance.happens(15)) return anyArguments(chance, world);
    const args = given.ids.map(() => ID);
    if (given.sample !== undefined) {
      args.push(chance.happens(97) ? changed(given.sample(), chance, world) : given.sample());
    }
    args.push(callOptions(chance, world));
    if (given.sample === undefined || chance.happens(15)) {
      const at = chance.between(0, args.length - 1);
      args[at] = chance.happens(70) ? hostile(chance, world) : args[at];
    }
    return args;
  },
  call: ({ kit }, args) => kit[name](...args),
  difference: (twin, { requests, outcome }) => differenceOf(given, twin, requests, outcome),
});

const called = (name, sample, difference) => ({
  make(chance, world) {
    return listed(changed(sample(chance), chance, world));
  },
  call: ({ module }, args) => module[name](...args),
  difference: (twin, { outcome }) => ("value" in outcome ? difference(outcome.value, ...twin) : undefined),
});

const digitsOf = (text) => text.replace(/\D/g, "").replace(/^0+(?=\d)/, "");

function decimals(chance) {
  const places = chance.between(0, 8);
  const whole = String(chance.between(0, 2 ** 31)).repeat(chance.between(1, 2));
  const fraction = String(chance.between(0, 10 ** 8)).slice(0, places);
  return [fraction === "" ? whole : `${whole}.${fraction}`, { decimalPlaces: places }];
}

const theme = (name) => ({
  make: () => [],
  call: ({ module }) => module[name],
  difference: (_, { outcome: { value } }) => (Object.isFrozen(value) && /^#[0-9a-f]{6}$/.test(value.primary) ? undefined : `${name} changed`),
});

const MODULE = {
  toMinorUnits: called("toMinorUnits", decimals, (units, text, currency) => {
    const [whole, fraction = ""] = text.split(".");
    const wanted = BigInt(whole + fraction.padEnd(currency.decimalPlaces, "0"));
    return BigInt(units) === wanted ? undefined : `${text} became ${units}`;
  }),
  parseAmount: called(
    "parseAmount",
    (chance) => [...decimals(chance), "en-US"],
    (units, text, { decimalPlaces }) => {
      const [whole, fraction = ""] = String(text).trim().replaceAll(",", "").split(".");
      return BigInt(units) === BigInt(whole + fraction.padEnd(decimalPlaces, "0")) ? undefined : `${text} became ${units}`;
    },
  ),
  fromMinorUnits: called(
    "fromMinorUnits",
    (chance) => [BigInt(chance.between(-(2 ** 31), 2 ** 31)) * BigInt(chance.between(1, 2 ** 31)), { decimalPlaces: chance.between(0, 8) }],
    (text, value) => {
      const wanted = value < 0 ? `-${digitsOf(String(value))}` : digitsOf(String(value));
      const found = (text.startsWith("-") ? "-" : "") + digitsOf(text);
      return found === wanted ? undefined : `${value} became ${text}`;
    },
  ),
  formatAmount: called(
    "formatAmount",
    () => [REQUESTS.amount(), "en-US"],
    (text, amount, locale) => {
      if (locale !== "en-US") return typeof text === "string" ? undefined : "no text";
      return digitsOf(text) === digitsOf(String(amount.value)) ? undefined : `${amount.value} became ${text}`;
    },
  ),
  lightTheme: theme("lightTheme"),
  darkTheme: theme("darkTheme"),
  preload: called("preload", () => [{}], (value) => (value === undefined ? undefined : "it gave something")),
  themeContrast: called("themeContrast", () => [REQUESTS.colours()], (problems) => (Array.isArray(problems) ? undefined : "no list")),
  isRemitError: {
    make: (chance, world) => [hostile(chance, world)],
    call: ({ module }, args) => module.isRemitError(...args),
    difference(twin, { outcome }) {
      let branded = false;
      try {
        branded = typeof twin[0] === "object" && twin[0] !== null && twin[0][BRAND] === true;
      } catch {
        // Whatever throws at being read is none.
      }
      return outcome.value === branded ? undefined : `isRemitError said ${String(outcome.value)}`;
    },
  },
  RemitError: {
    make(chance, world) {
      if (chance.happens(30)) return anyArguments(chance, world);
      return listed(changed(["InvalidAmount", "It was wrong.", REQUESTS.details()], chance, world));
    },
    call: ({ module }, args) => new module.RemitError(...args),
    difference([code, message], { outcome: { value } }) {
      const kept = value?.code === code || typeof code !== "string";
      return kept && (typeof message !== "string" || value.message === message) ? undefined : "code or message changed";
    },
  },
  "RemitError.toJSON": {
    make: (chance, world) => [hostile(chance, world)],
    call: ({ module }, args) => new module.RemitError("InvalidAmount", "It was wrong.", REQUESTS.details()).toJSON(...args),
    difference(_, { outcome: { value } }) {
      const wanted = { name: "RemitError", code: "InvalidAmount", message: "It was wrong.", ...REQUESTS.details() };
      return same(said(value), said(wanted)) ? undefined : `toJSON gave ${JSON.stringify(value)}`;
    },
  },
  // A name and no more: it is read.
  "RemitError.name": {
    make: () => [],
    call: ({ module }) => new module.RemitError("A", "b", REQUESTS.details()).name,
    difference: (_, { outcome }) => (outcome.value === "RemitError" ? undefined : "the name changed"),
  },
};

const OPERATED = Object.entries(OPERATIONS).map(([name, given]) => [`RemitKit.${name}`, operation(name, given)]);

/** By the name in the surface. */
export const SUBJECTS = { ...MODULE, ...Object.fromEntries(OPERATED), ...kitSubjects, ...formSubjects };
