// What a page needs to show one field: the same for React and for pages without a framework. Names are
// React's.

const DIGITS_ONLY = /^\^?(?:(?:\[0-9\]|\\d)(?:\{[\d,]+\}|[+*?])?|-\??|[ ()|])+\$?$/;
const LOWER_CASE = /a-z|\\[pw]|[()?]i/;

/** The autofill names of a customer's own details. */
const AUTOFILL = {
  __proto__: null,
  firstname: "given-name",
  middlename: "additional-name",
  nickname: "nickname",
  lastname: "family-name",
  companyname: "organization",
  email: "email",
  emailaddress: "email",
  phonenumber: "tel-national",
  dateofbirth: "bday",
  addressline: "street-address",
  addressline1: "address-line1",
  addressline2: "address-line2",
  addresscity: "address-level2",
  addressstate: "address-level1",
  addresszip: "postal-code",
};

/**
 * Describes the control of a field. `state` has the form's `values`, the `problem` and `warning` to show, and
 * the `options` with their `error` and `isLoading`; `settings` has the `idPrefix`, the `country` of phones, and
 * whether to `autofill` the customer's own details.
 */
export function fieldControl(form, field, state, { idPrefix, country, autofill }) {
  const { fieldId, fieldType, regex, hintText } = field;
  const { values, problem, warning, masked, error, isLoading } = state;
  const given = memberOf(values, fieldId);
  // Nobody needs to enter again what the service has.
  const isNeeded = requires(form, field, values);
  const isRequired = masked === undefined && isNeeded;
  const isPhone = fieldType === "PHONE_NUMBER";
  const isNumber = isPhone || (typeof regex === "string" && DIGITS_ONLY.test(regex));
  const prefix = prefixOf(form, country, field, given);
  // A space separates ids in `aria-describedby`.
  const id = `${idPrefix}-${fieldId}`.replace(/\s/g, "%20");
  const describedBy = [
    prefix && `${id}-prefix`,
    hintText && `${id}-hint`,
    (problem ?? warning ?? error) && `${id}-problem`,
  ];
  const isChoice = fieldType === "DROPDOWN";
  const value = textOf(given);
  return {
    field,
    element: isChoice ? "select" : "input",
    label: field.label || field.name || fieldId,
    labelProps: { id: `${id}-label`, htmlFor: id },
    controlProps: {
      id,
      name: fieldId,
      value,
      ...(isChoice ? undefined : inputProps(field, isPhone, isNumber, masked)),
      autoComplete: (autofill && AUTOFILL[lettersOf(fieldId)]) || "off",
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
    isShown: isShown(field, isNeeded, values),
  };
}

function inputProps(field, isPhone, isNumber, masked) {
  const { fieldId, fieldType, regex, minValue, maxValue, maxLength, placeholderText, label } = field;
  if (fieldType === "DATE") return { type: "date", min: minValue ?? undefined, max: maxValue ?? undefined };
  const isEmail = /email/i.test(fieldId);
  const hasCapitals = typeof regex === "string" && regex.includes("A-Z") && !LOWER_CASE.test(regex);
  return {
    type: isPhone ? "tel" : "text",
    inputMode: isPhone ? "tel" : isNumber ? "numeric" : isEmail ? "email" : undefined,
    autoCapitalize: hasCapitals ? "characters" : isEmail ? "off" : undefined,
    spellCheck: isNumber || isEmail || hasCapitals ? false : undefined,
    // A number may be pasted with spaces: a limit would cut off its last digits.
    maxLength: regex ? undefined : (maxLength ?? undefined),
    // One that repeats the label would be read twice.
    placeholder: masked ?? (placeholderText && placeholderText !== label ? placeholderText : undefined),
    dir: isNumber || isEmail || hasCapitals ? "ltr" : undefined,
  };
}

/** Returns the value to set for what is typed: a phone number has its country. */
export function valueOf(field, text, country, before) {
  if (field.fieldType !== "PHONE_NUMBER" || text === "") return text;
  const phone = typeof before === "object" && before !== null ? before : { countryIso3Code: country };
  return { ...phone, number: text };
}

/** Returns the value as `toFields` sends it. */
export function sentValue(form, fieldId, value) {
  try {
    return form.toFields({ [fieldId]: value })[0]?.value ?? value;
  } catch {
    return value;
  }
}

/** Returns an object's own member: a service may call a field what objects inherit, such as `constructor`. */
export const memberOf = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/** Returns the page's own text by an id, or else what the service says, in another language if that is known. */
export const textFor = (own, id, text, { words }) => memberOf(own, id) ?? memberOf(words, text) ?? text;

/** Returns a field with the texts of `messages`. */
export function localized(field, messages) {
  const { fieldId, name, label, hintText, placeholderText } = field;
  return {
    ...field,
    label: textFor(messages.fields, fieldId, label || name, messages),
    hintText: textFor(messages.hints, fieldId, hintText, messages),
    placeholderText: textFor(messages.placeholders, fieldId, placeholderText, messages),
  };
}

/** Returns whether a value is not filled in. */
export const isBlank = (value) => textOf(value).trim() === "";

/** Returns the fields of a form that `filter` accepts. */
export const fieldsOf = (form, filter = () => true) =>
  form.fieldSets.flatMap((set) => set.fields.filter((field) => filter(field, set)));

/** Returns the letters of an id: records and forms name some fields in two ways, such as `FIRST_NAME`. */
export const lettersOf = (id) => `${id}`.replaceAll("_", "").toLowerCase();

// Values that cannot be sent are reported by `check`.
function requires(form, { fieldId, isRequired }, values) {
  try {
    return form.isRequired(fieldId, values);
  } catch {
    return isRequired;
  }
}

export const textOf = (value) => (typeof value === "object" ? (value?.number ?? "") : `${value ?? ""}`);

/** Returns the calling code of a phone number, as it is sent with any number. */
export function prefixOf(form, country, { fieldId, fieldType }, value) {
  if (fieldType !== "PHONE_NUMBER") return undefined;
  const phone = typeof value === "object" && value !== null ? value : { countryIso3Code: country };
  const { countryPhoneCode: code } = sentValue(form, fieldId, { ...phone, number: "0" });
  return code ? `+${String(code).replace(/^\+/, "")}` : undefined;
}

// While the choices are not there, the chosen one shows all the same: it is sent.
function withChosen({ options, error, isLoading }, value) {
  const isMissing = value !== "" && (isLoading || error !== undefined) && options.length === 0;
  return isMissing ? [{ id: value }] : options;
}

// A field that another one makes required appears with it.
function isShown({ fieldId, visibility, dependencies }, isNeeded, values) {
  const hasConditions = dependencies?.isRequired?.length > 0;
  if (visibility === "HIDE_AND_REQUIRED") return false;
  if (visibility === "HIDE_AND_OPTIONAL") return hasConditions && isNeeded;
  return !hasConditions || isNeeded || textOf(memberOf(values, fieldId)) !== "";
}
