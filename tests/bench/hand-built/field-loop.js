// The same check as a plain loop: no schema, patterns compiled once.

import { hasChoices, holds, isAlwaysRequired, isDate, isEmpty, problem } from "./field-rules.js";

export function createFieldLoop({ fieldSets }) {
  const fields = fieldSets
    .flatMap((set) => set.fields)
    .map((field) => ({
      ...field,
      always: isAlwaysRequired(field),
      pattern: field.regex == null ? undefined : new RegExp(field.regex),
      choices: hasChoices(field) ? new Set(field.options.map(({ id }) => id)) : undefined,
    }));

  return {
    check(values) {
      const problems = [];
      for (const field of fields) {
        const value = values[field.fieldId];
        if (isEmpty(value)) {
          if (field.always || field.dependencies?.isRequired?.some((one) => holds(one, values))) {
            problems.push(problem(field.fieldId, value === undefined ? "MissingRequiredField" : "NotEmptyValidator"));
          }
        } else if (!fits(field, field.fieldType === "PHONE_NUMBER" ? value.number : value)) {
          problems.push(problem(field.fieldId, "ValueRegexFailure"));
        }
      }
      return problems;
    },
  };
}

function fits({ fieldType, minLength, maxLength, minValue, maxValue, pattern, choices }, text) {
  if (typeof text !== "string" || isEmpty(text)) return false;
  if (maxLength != null && text.length > maxLength) return false;
  if (minLength != null && text.length < minLength) return false;
  if (fieldType === "DATE") {
    if (!isDate(text) || (minValue != null && text < minValue) || (maxValue != null && text > maxValue)) return false;
  }
  if (fieldType === "DROPDOWN" && choices && !choices.has(text)) return false;
  return pattern === undefined || pattern.test(text);
}
