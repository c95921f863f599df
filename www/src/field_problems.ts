import type { ErrorCode, FieldDefinition, FieldProblem, PhoneNumber } from "remitkit";
import { currentLocale, serviceText, t } from "./messages";

/** The shop's own: a value that a record hides has to be given once more. */
export const NEEDED_AGAIN = "NeededAgain" as ErrorCode;

const MISSING = new Set<ErrorCode>(["MissingRequiredField", "NotEmptyValidator", "InvalidSenderName", "InvalidRecipientName"]);
const MALFORMED = new Set<ErrorCode>(["ValueRegexFailure", "RecipientInvalidPhoneNumber"]);
// More of them are no slip of the finger.
const MOST_CHARACTERS = 3;

/**
 * Returns a field's label in the shop's language. A label such as CLABE or IBAN stays, as it says more than
 * the shop's general term for an account number.
 */
export function fieldLabel(definition: FieldDefinition): string {
  const sent = definition.label ?? definition.name ?? definition.fieldId;
  return /^[A-Z]{3,}$/.test(sent) ? sent : serviceText("field", definition.fieldId, sent);
}

/**
 * Returns what is wrong with a field, by its name, in the shop's words if enough is known to say it exactly.
 * `fits` tells whether the field would accept another text.
 */
export function problemText(
  problem: FieldProblem,
  definition: FieldDefinition,
  value: string | PhoneNumber | undefined,
  fits: (text: string) => boolean = () => false,
): string {
  const label = fieldLabel(definition);
  if (MISSING.has(problem.code) && value === undefined) {
    return t(definition.fieldType === "DROPDOWN" ? "problem.choose" : "problem.missing", { label });
  }
  if (problem.code === NEEDED_AGAIN) return t("problem.again", { label });
  if (!MALFORMED.has(problem.code)) return serviceText("code", problem.code, problem.message) || t("problem.format", { label });
  if (definition.fieldType === "DATE") return dateProblem(definition, String(value), label);
  const text = typeof value === "string" ? value : (value?.number ?? "");
  if (typeof value === "object" && text.startsWith("+")) return t("problem.phone", { label, code: `+${value.countryPhoneCode}` });
  if (definition.fieldId.startsWith("EMAIL")) return t("problem.email", { label });
  const { minLength, maxLength } = definition;
  if (isDigitsOnly(definition.regex ?? "") && /^\d+$/.test(text)) {
    const values = { label, count: text.length };
    if (minLength && minLength === maxLength && text.length !== minLength) return t("problem.digits", { ...values, length: minLength });
    if (minLength && text.length < minLength) return t("problem.digits.short", { ...values, length: minLength });
    if (maxLength && text.length > maxLength) return t("problem.digits.long", { ...values, length: maxLength });
  }
  const characters = notTaken(text, fits);
  if (characters) return t("problem.characters", { label, characters });
  if (minLength && text.length < minLength) return t("problem.short", { label, length: minLength });
  if (maxLength && text.length > maxLength) return t("problem.long", { label, length: maxLength });
  return definition.hintText
    ? t("problem.format.hint", { label, hint: serviceText("hint", definition.fieldId, definition.hintText) })
    : t("problem.format", { label });
}

/** Whether a pattern takes nothing but digits. */
export function isDigitsOnly(pattern: string): boolean {
  return /^\^?(?:\\d|\[0-9\]|[0-9{},+*?()$|])+\$?$/.test(pattern);
}

// The characters without which the text would do.
function notTaken(text: string, fits: (text: string) => boolean): string | undefined {
  const without = (left: string, taken: string[]) => taken.reduce((rest, one) => rest.replaceAll(one, ""), left);
  const odd = [...new Set(text)].filter((one) => !/[\p{L}\s]/u.test(one) || fits(without(text, [one])));
  const guilty = odd.find((one) => fits(without(text, [one])));
  if (guilty !== undefined) return guilty === " " ? undefined : guilty;
  return odd.length > 0 && odd.length <= MOST_CHARACTERS && fits(without(text, odd)) ? odd.join(" ") : undefined;
}

function dateProblem({ minValue, maxValue }: FieldDefinition, value: string, label: string): string {
  if (maxValue && value > maxValue) return t("problem.date.late", { label, date: day(maxValue) });
  if (minValue && value < minValue) return t("problem.date.early", { label, date: day(minValue) });
  return t("problem.format", { label });
}

function day(iso: string): string {
  return new Date(`${iso}T00:00:00Z`).toLocaleDateString(currentLocale(), { dateStyle: "long", timeZone: "UTC" });
}
