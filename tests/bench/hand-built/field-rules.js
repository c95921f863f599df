// The rules of field definitions.

const REQUIRED = ["SHOW_AND_REQUIRED", "HIDE_AND_REQUIRED"];
const MESSAGES = {
  MissingRequiredField: "This field is required.",
  NotEmptyValidator: "This field must not be empty.",
  ValueRegexFailure: "This value has another form than is asked for.",
};

export function problem(fieldId, code) {
  return { fieldId, code, message: MESSAGES[code] };
}

export function isEmpty(value) {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

export function isAlwaysRequired({ isRequired, visibility }) {
  return isRequired || REQUIRED.includes(visibility);
}

export function hasChoices({ options, optionsSource }) {
  return options?.length > 0 && optionsSource == null;
}

/** Whether a condition on another field holds. */
export function holds({ comparisonOperator, comparisonValues, fieldId }, values) {
  const value = values[fieldId];
  switch (comparisonOperator) {
    case "EQUAL_TO":
      return comparisonValues.includes(value);
    case "NOT_EQUAL_TO":
      return !isEmpty(value) && !comparisonValues.includes(value);
    case "GREATER_THAN":
      return comparisonValues.every((other) => Number(value) > Number(other));
    case "LESS_THAN":
      return comparisonValues.every((other) => Number(value) < Number(other));
    default:
      return false;
  }
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the text is a calendar day, YYYY-MM-DD. */
export function isDate(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return day >= 1 && day <= days;
}
