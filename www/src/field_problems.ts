import type { ErrorCode, FieldDefinition, FieldProblem, PhoneNumber } from "remitkit";
import { serviceText, t } from "./messages";

/** The shop's own: a value that a record hides has to be given once more. */
export const NEEDED_AGAIN = "NeededAgain" as ErrorCode;

const MISSING = new Set<ErrorCode>(["MissingRequiredField", "NotEmptyValidator", "InvalidSenderName", "InvalidRecipientName"]);

/** What is wrong with a field, in the shop's words where the definition tells enough to say it exactly. */
export function problemText(problem: FieldProblem, definition: FieldDefinition, value: string | PhoneNumber | undefined): string {
  if (MISSING.has(problem.code) && value === undefined) {
    return t(definition.fieldType === "DROPDOWN" ? "problem.choose" : "problem.missing");
  }
  if (problem.code === NEEDED_AGAIN) return t("problem.again");
  const text = typeof value === "string" ? value : (value?.number ?? "");
  const { minLength, maxLength } = definition;
  if (problem.code === "ValueRegexFailure") {
    if (minLength && text.length < minLength) return t("problem.short", { length: minLength });
    if (maxLength && text.length > maxLength) return t("problem.long", { length: maxLength });
    return definition.hintText
      ? t("problem.format.hint", { hint: serviceText("hint", definition.fieldId, definition.hintText) })
      : t("problem.format");
  }
  return serviceText("code", problem.code, problem.message) || t("problem.format");
}
