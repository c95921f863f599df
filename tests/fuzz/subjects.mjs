// How each export is called with random arguments, and how to tell whether it did what they say.
//
// A subject has `make(chance, world)`, which returns the arguments; `call(bench, args)`; and
// `difference(twin, …)`, which gets the same arguments made again, as the call has used up the first ones.

import { changed } from "./changes.mjs";
import { formSubjects } from "./form-subjects.mjs";
import { asJson, same } from "./json.mjs";
import { kitSubjects } from "./kit-subjects.mjs";
import { OPERATIONS } from "./operations.mjs";
import { ID, REQUESTS } from "./samples.mjs";
import { anyArguments, callOptions, differenceOf, listed } from "./sending.mjs";
import { hostile } from "./values.mjs";

const operation = (name, described) => ({
  make(chance, world) {
    if (chance.happens(15)) return anyArguments(chance, world);
    const args = described.ids.map(() => ID);
    const { sample } = described;
    if (sample !== undefined) args.push(chance.happens(97) ? changed(sample(), chance, world) : sample());
    args.push(callOptions(chance, world));
    if ((sample === undefined || chance.happens(15)) && chance.happens(70)) {
      args[chance.between(0, args.length - 1)] = hostile(chance, world);
    }
    return args;
  },
  call: ({ kit }, args) => kit[name](...args),
  difference: (twin, { requests, outcome }) => differenceOf(described, twin, requests, outcome),
});

const moduleCall = (name, sample, difference) => ({
  make: (chance, world) => listed(changed(sample(chance), chance, world)),
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

/** Compares the units of a decimal number, which may have grouping commas. */
function unitsDifference(units, text, { decimalPlaces }) {
  const [whole, fraction = ""] = String(text).trim().replaceAll(",", "").split(".");
  const wanted = BigInt(whole + fraction.padEnd(decimalPlaces, "0"));
  return BigInt(units) === wanted ? undefined : `${text} became ${units}`;
}

const big = (chance) => BigInt(chance.between(-(2 ** 31), 2 ** 31)) * BigInt(chance.between(1, 2 ** 31));

const someError = ({ module }) => new module.RemitError("InvalidAmount", "It was wrong.", REQUESTS.details());

const MODULE = {
  toMinorUnits: moduleCall("toMinorUnits", decimals, unitsDifference),
  parseAmount: moduleCall("parseAmount", (chance) => [...decimals(chance), "en-US"], unitsDifference),
  fromMinorUnits: moduleCall(
    "fromMinorUnits",
    (chance) => [big(chance), { decimalPlaces: chance.between(0, 8) }],
    (text, value) => {
      const wanted = (value < 0 ? "-" : "") + digitsOf(String(value));
      const found = (text.startsWith("-") ? "-" : "") + digitsOf(text);
      return found === wanted ? undefined : `${value} became ${text}`;
    },
  ),
  formatAmount: moduleCall(
    "formatAmount",
    () => [REQUESTS.amount(), "en-US"],
    (text, amount, locale) => {
      if (locale !== "en-US") return typeof text === "string" ? undefined : "no text";
      const isSame = digitsOf(text) === digitsOf(String(amount.value));
      return isSame ? undefined : `${amount.value} became ${text}`;
    },
  ),
  preload: moduleCall("preload", () => [{}], (value) => (value === undefined ? undefined : "it has a result")),
  themeContrast: moduleCall(
    "themeContrast",
    () => [REQUESTS.colors()],
    (problems) => (Array.isArray(problems) ? undefined : "no list"),
  ),
  disclosureTexts: {
    make: (chance, world) => [hostile(chance, world)],
    call: ({ module }, args) => module.disclosureTexts(...args),
    difference: (_, { outcome }) => (Array.isArray(outcome.value) ? undefined : "no list"),
  },
  isRemitError: {
    make: (chance, world) => [hostile(chance, world)],
    call: ({ module }, args) => module.isRemitError(...args),
    difference([value], { outcome }) {
      let isBranded = false;
      try {
        isBranded = typeof value === "object" && value?.[Symbol.for("remitkit.error")] === true;
      } catch {
        // A value that throws is no error of ours.
      }
      return outcome.value === isBranded ? undefined : `isRemitError returned ${String(outcome.value)}`;
    },
  },
  RemitError: {
    make(chance, world) {
      if (chance.happens(30)) return anyArguments(chance, world);
      return listed(changed(["InvalidAmount", "It was wrong.", REQUESTS.details()], chance, world));
    },
    call: ({ module }, args) => new module.RemitError(...args),
    difference([code, message], { outcome: { value } }) {
      const hasCode = typeof code !== "string" || value?.code === code;
      const hasMessage = typeof message !== "string" || value?.message === message;
      return hasCode && hasMessage ? undefined : "code or message changed";
    },
  },
  "RemitError.toJSON": {
    make: (chance, world) => [hostile(chance, world)],
    call: (bench, args) => someError(bench).toJSON(...args),
    difference(_, { outcome: { value } }) {
      const error = { name: "RemitError", code: "InvalidAmount", message: "It was wrong." };
      const isSame = same(asJson(value), asJson({ ...error, ...REQUESTS.details() }));
      return isSame ? undefined : `toJSON returned ${JSON.stringify(value)}`;
    },
  },
};

const operations = Object.fromEntries(
  Object.entries(OPERATIONS).map(([name, described]) => [`RemitKit.${name}`, operation(name, described)]),
);

/** By the names that `callable` has. */
export const SUBJECTS = { ...MODULE, ...operations, ...kitSubjects, ...formSubjects };
