// What is wrong with a value, in words that say how to correct it: the code says only that something is.

const MISSING = ["MissingRequiredField", "NotEmptyValidator", "InvalidSenderName", "InvalidRecipientName"];
const MALFORMED = ["ValueRegexFailure", "RecipientInvalidPhoneNumber"];
const DIGITS_ONLY = /^\^?(?:\\d|\[0-9\]|[0-9{},+*?()$|])+\$?$/;
// More unusual characters than these are no typing mistake.
const MAX_ODD = 3;

const ENGLISH = {
  empty: "{label} is missing.",
  unchosen: "{label}: choose one.",
  email: "Enter the whole email address, such as name@example.com.",
  phone: "The phone number must have the country code {code}.",
  digits: "{label} has {length} digits; this has {count}.",
  tooFewDigits: "{label} has at least {length} digits; this has {count}.",
  tooManyDigits: "{label} has at most {length} digits; this has {count}.",
  odd: "{label} can’t contain “{odd}”.",
  early: "{label} must be {date} or later.",
  late: "{label} must be {date} or earlier.",
  short: "{label} needs at least {length} characters.",
  long: "{label} can’t be longer than {length} characters.",
  format: "{label} is not in the expected format.",
};

/**
 * Returns a function that words a problem of a field with a value. `accepts` tells whether the field would take
 * another text; `code` is the calling code of phone numbers.
 */
export function problemTexts(texts, language) {
  const own = { ...ENGLISH, ...texts };
  const dateOf = (iso) =>
    new Date(`${iso}T00:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

  return (problem, field, value, accepts, code) => {
    const { fieldId, fieldType, label, hintText, regex, minLength, minValue, maxValue } = field;
    const say = (name, values) =>
      own[name].replace(/\{(\w+)\}/g, (_, key) => ({ label, ...values })[key] ?? "");
    const text = typeof value === "object" ? (value?.number ?? "") : `${value ?? ""}`;
    if (MISSING.includes(problem.code) && text.trim() === "") return say(fieldType === "DROPDOWN" ? "unchosen" : "empty");
    if (!MALFORMED.includes(problem.code)) return problem.message;
    if (fieldType === "DATE") {
      if (maxValue && text > maxValue) return say("late", { date: dateOf(maxValue) });
      return minValue && text < minValue ? say("early", { date: dateOf(minValue) }) : say("format");
    }
    if (code && /^(\+|00)/.test(text)) return say("phone", { code });
    if (/email/i.test(fieldId)) return say("email");
    const maxLength = field.maxLength || Infinity;
    const isShort = text.length < (minLength ?? 0);
    const length = isShort ? minLength : text.length > maxLength ? maxLength : undefined;
    if (length && DIGITS_ONLY.test(regex ?? "") && /^\d+$/.test(text)) {
      const name = minLength === maxLength ? "digits" : isShort ? "tooFewDigits" : "tooManyDigits";
      return say(name, { length, count: text.length });
    }
    const odd = oddIn(text, accepts);
    if (odd) return say("odd", { odd });
    if (length) return say(isShort ? "short" : "long", { length });
    return hintText ? `${say("format")} ${hintText}` : say("format");
  };
}

/** Returns the characters without which the field would take the text. */
function oddIn(text, accepts) {
  const without = (signs) => accepts([...text].filter((sign) => !signs.includes(sign)).join(""));
  const all = [...new Set(text)];
  const one = all.find((sign) => without([sign]));
  if (one !== undefined) return one.trim();
  const odd = all.filter((sign) => !/[\p{L}\s]/u.test(sign));
  return odd.length > 0 && odd.length <= MAX_ODD && without(odd) ? odd.join(" ") : "";
}
