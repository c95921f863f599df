// What a page needs to show one field: the same for React and for pages without a framework. Names are
// React's.

import { lettersOf } from "../input/letters-of.js";

const DIGITS_ONLY = /^(\\d|\[0-9]|[- ]\?|[\d^$|(){},+*?])+$/;
// Keys for numbers have no separators: the core puts in those that stand at fixed places.
const PLACED_SEPARATORS = /^\^((\\d|\[0-9])(\{\d+\})?|\\?[-/]|\\\.| )+\$$/;
const LOWER_CASE = /a-z|\\[pw]|\?i/;

/**
 * Describes the control of a field. `state` has the form's `values`, the `problem` and `warning` to show, the `options`
 * with their `error` and `isLoading`, and whether the field `isNeeded`; `settings` has the `idPrefix`, the `country` of
 * phones, and, if these are the customer's own details, the table `autofill`.
 */
export function fieldControl(form, field, state, { idPrefix, country, autofill }) {
  const { fieldId, fieldType, hintText } = field;
  const { values, problem, warning, masked, isNeeded, error, isLoading } = state;
  const given = memberOf(values, fieldId);
  const value = textOf(given);
  // Nobody needs to enter again what the service has.
  const isRequired = masked === undefined && isNeeded;
  const isChoice = fieldType === "DROPDOWN";
  const prefix = prefixOf(form, country, field, given);
  // A space separates ids in `aria-describedby`.
  const id = `${idPrefix}-${fieldId}`.replace(/\s/g, "%20");
  const describedBy = [
    prefix && `${id}-prefix`,
    hintText && `${id}-hint`,
    (problem ?? warning ?? error) && `${id}-problem`,
  ];
  return {
    field,
    element: isChoice ? "select" : "input",
    label: field.label || field.name || fieldId,
    labelProps: { id: `${id}-label`, htmlFor: id },
    controlProps: {
      id,
      name: fieldId,
      value,
      ...(isChoice ? undefined : inputProps(field, masked)),
      autoComplete: autofill?.[lettersOf(fieldId)] ?? "off",
      "aria-required": isRequired,
      "aria-invalid": problem !== undefined,
      "aria-busy": isChoice && isLoading,
      "aria-describedby": describedBy.filter(Boolean).join(" ") || undefined,
    },
    prefix,
    prefixProps: { id: `${id}-prefix`, dir: "ltr" },
    hint: hintText || undefined,
    hintProps: { id: `${id}-hint` },
    problem: problem?.message,
    warning: problem === undefined ? warning?.message : undefined,
    problemProps: { id: `${id}-problem` },
    options: withChosen(state, value),
    error,
    isLoading,
    isRequired,
    isShown: isShown(field, isNeeded, value),
  };
}

function inputProps({ fieldId, fieldType, ...field }, masked) {
  const { minValue, maxValue, placeholderText, label } = field;
  if (fieldType === "DATE") return { type: "date", min: minValue ?? undefined, max: maxValue ?? undefined };
  const regex = `${field.regex ?? ""}`;
  const isPhone = fieldType === "PHONE_NUMBER";
  const isNumber = isPhone || isOfDigits(regex) || PLACED_SEPARATORS.test(regex);
  const isEmail = /email/i.test(fieldId);
  const hasCapitals = regex.includes("A-Z") && !LOWER_CASE.test(regex);
  const isCode = isNumber || isEmail || hasCapitals;
  return {
    type: isPhone ? "tel" : "text",
    inputMode: isPhone ? "tel" : isNumber ? "numeric" : isEmail ? "email" : undefined,
    autoCapitalize: hasCapitals ? "characters" : isEmail ? "off" : undefined,
    spellCheck: isCode ? false : undefined,
    // One that repeats the label would be read twice.
    placeholder: masked ?? (placeholderText && placeholderText !== label ? placeholderText : undefined),
    dir: isCode ? "ltr" : undefined,
  };
}

/** Returns whether a pattern takes digits alone. */
export const isOfDigits = (regex) => DIGITS_ONLY.test(regex ?? "");

/** Returns what `work` returns, or `otherwise` if it throws. */
export function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Returns the value to set for what is typed: a phone number has its country. */
export function valueOf({ fieldType }, text, country, before) {
  return fieldType === "PHONE_NUMBER" && text !== "" ? { ...phoneOf(before, country), number: text } : text;
}

/** Returns the value as `toFields` sends it. */
export const sentValue = (form, fieldId, value) =>
  attempt(() => form.toFields({ [fieldId]: value })[0]?.value, undefined) ?? value;

/** Returns an object's own member: a service may call a field what objects inherit, such as `constructor`. */
export const memberOf = (object, name) => (object && hasOwn(object, name) ? object[name] : undefined);

/** Returns whether a member is an object's own. Safari before 15.4 lacks `Object.hasOwn`. */
export const hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name);

/** Returns whether a value is not filled in. */
export const isBlank = (value) => textOf(value).trim() === "";

/** Returns the fields of a form that `filter` accepts. */
export const fieldsOf = (form, filter = () => true) =>
  form.fieldSets.flatMap((set) => set.fields.filter((field) => filter(field, set)));

const FIELDS = new WeakMap();

/** Returns a form's field of this id. A component asks for its own at each key, and a form may have hundreds. */
export function fieldOf(form, fieldId) {
  if (!FIELDS.has(form)) FIELDS.set(form, new Map(fieldsOf(form).map((field) => [field.fieldId, field])));
  return FIELDS.get(form).get(fieldId);
}

/** Returns the text of a value, which is none if it has no text, such as a symbol's. */
export const textOf = (value) => attempt(() => `${(typeof value === "object" ? value?.number : value) ?? ""}`, "");

/** Returns the calling code of a phone number, as it is sent with any number. */
export function prefixOf(form, country, { fieldId, fieldType }, value) {
  if (fieldType !== "PHONE_NUMBER") return undefined;
  const { countryPhoneCode: code } = sentValue(form, fieldId, { ...phoneOf(value, country), number: "0" });
  return code ? `+${String(code).replace(/^\+/, "")}` : undefined;
}

const phoneOf = (value, country) => (typeof value === "object" && value ? value : { countryIso3Code: country });

// While the choices are not there, the chosen one shows all the same: it is sent.
function withChosen({ options, error, isLoading }, value) {
  const isMissing = value !== "" && (isLoading || error !== undefined) && options.length === 0;
  return isMissing ? [{ id: value }] : options;
}

// A field that another one makes required appears with it.
function isShown({ visibility, dependencies }, isNeeded, value) {
  const hasConditions = dependencies?.isRequired?.length > 0;
  if (visibility === "HIDE_AND_REQUIRED") return false;
  if (visibility === "HIDE_AND_OPTIONAL") return hasConditions && isNeeded;
  return !hasConditions || isNeeded || value !== "";
}
