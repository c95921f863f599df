import type { ErrorCode, FieldDefinition, FieldProblem, PhoneNumber } from "remitkit";
import { currentLocale, serviceText, t } from "./messages";

/** The shop's own problem: a value that the service masks has to be entered again. */
export const NEEDED_AGAIN = "NeededAgain" as ErrorCode;

const MISSING: readonly ErrorCode[] = [
  "MissingRequiredField",
  "NotEmptyValidator",
  "InvalidSenderName",
  "InvalidRecipientName",
];
const MALFORMED: readonly ErrorCode[] = ["ValueRegexFailure", "RecipientInvalidPhoneNumber"];
/** More invalid characters than these are no typing mistake. */
const MAX_CHARACTERS = 3;

/** Returns a field's label. An abbreviation such as CLABE or IBAN stays: it is more specific than ours. */
export function fieldLabel({ fieldId, label, name }: FieldDefinition): string {
  const sent = label ?? name ?? fieldId;
  return /^[A-Z]{3,}$/.test(sent) ? sent : serviceText("field", fieldId, sent);
}

/** Words a problem of a field exactly. `accepts` tells whether the field would take another text. */
export function problemText(
  { code, message }: FieldProblem,
  definition: FieldDefinition,
  value: string | PhoneNumber | undefined,
  accepts: (text: string) => boolean,
): string {
  const { fieldId, fieldType, hintText, minLength, maxLength } = definition;
  const label = fieldLabel(definition);
  if (MISSING.includes(code) && value === undefined) {
    return t(fieldType === "DROPDOWN" ? "problem.choose" : "problem.missing", { label });
  }
  if (code === NEEDED_AGAIN) return t("problem.again", { label });
  if (!MALFORMED.includes(code)) return serviceText("code", code, message) || t("problem.format", { label });
  if (fieldType === "DATE") return dateProblem(definition, String(value), label);
  const text = typeof value === "string" ? value : (value?.number ?? "");
  if (typeof value === "object" && text.startsWith("+")) {
    return t("problem.phone", { label, code: `+${value.countryPhoneCode}` });
  }
  if (fieldId.startsWith("EMAIL")) return t("problem.email", { label });
  const side = text.length < (minLength ?? 0) ? "short" : "long";
  const limit = side === "short" ? minLength : text.length > (maxLength || Infinity) ? maxLength : undefined;
  if (limit && isDigitsOnly(definition.regex ?? "") && /^\d+$/.test(text)) {
    const key = minLength === maxLength ? "problem.digits" : (`problem.digits.${side}` as const);
    return t(key, { label, count: text.length, length: limit });
  }
  const characters = invalidCharacters(text, accepts);
  if (characters) return t("problem.characters", { label, characters });
  if (limit) return t(`problem.${side}`, { label, length: limit });
  if (!hintText) return t("problem.format", { label });
  return t("problem.format.hint", { label, hint: serviceText("hint", fieldId, hintText) });
}

/** Whether a pattern accepts nothing but digits. */
export function isDigitsOnly(pattern: string): boolean {
  return /^\^?(?:\\d|\[0-9\]|[0-9{},+*?()$|])+\$?$/.test(pattern);
}

/** Returns the characters without which the field would accept the text. */
function invalidCharacters(text: string, accepts: (text: string) => boolean): string | undefined {
  const acceptsWithout = (removed: string[]) =>
    accepts(removed.reduce((rest, character) => rest.replaceAll(character, ""), text));
  const culprit = [...new Set(text)].find((character) => acceptsWithout([character]));
  if (culprit !== undefined) return culprit === " " ? undefined : culprit;
  const odd = [...new Set(text)].filter((character) => !/[\p{L}\s]/u.test(character));
  return odd.length > 0 && odd.length <= MAX_CHARACTERS && acceptsWithout(odd) ? odd.join(" ") : undefined;
}

function dateProblem({ minValue, maxValue }: FieldDefinition, value: string, label: string): string {
  if (maxValue && value > maxValue) return t("problem.date.late", { label, date: longDate(maxValue) });
  if (minValue && value < minValue) return t("problem.date.early", { label, date: longDate(minValue) });
  return t("problem.format", { label });
}

function longDate(iso: string): string {
  const date = new Date(`${iso}T00:00:00Z`);
  return date.toLocaleDateString(currentLocale(), { dateStyle: "long", timeZone: "UTC" });
}
