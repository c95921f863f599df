// Fields as a fields endpoint returns them, and values that follow or break their rules.

const OPTIONS = Array.from({ length: 10 }, (_, at) => ({ id: `OPTION_${at}`, name: `Option ${at}` }));

const KINDS = [
  { fieldType: "TEXT", regex: "^[A-Za-z' .-]+$", minLength: 2, maxLength: 60, right: "Ana Maria Garcia", wrong: "Ana 7" },
  { fieldType: "TEXT", regex: "^[0-9]{9,18}$", right: "032180000118", wrong: "0321B0000" },
  { fieldType: "TEXT", maxLength: 40, right: "Avenida Reforma 12", wrong: "x".repeat(41) },
  { fieldType: "DROPDOWN", options: OPTIONS, right: "OPTION_7", wrong: "OPTION_70" },
  { fieldType: "DATE", minValue: "1900-01-01", maxValue: "2020-12-31", right: "1988-02-29", wrong: "1989-02-29" },
  { fieldType: "TEXT", regex: "^[^@ ]+@[^@ ]+[.][a-z]{2,}$", right: "ana@example.org", wrong: "ana.example.org" },
  { fieldType: "PHONE_NUMBER", regex: "^[0-9]{10}$", right: phone("5512345678"), wrong: phone("55-1234") },
  { fieldType: "TEXT", regex: "^[A-Z]{4}[0-9]{6}$", minLength: 10, maxLength: 10, right: "GARA880229", wrong: "" },
  { fieldType: "TEXT", depends: true, right: "123456789", wrong: undefined },
  { fieldType: "TEXT", minLength: 3, maxLength: 20, right: "Ciudad de Mexico", wrong: "CM" },
];

function phone(number) {
  return { number, countryIso3Code: "MEX", countryPhoneCode: "52" };
}

/** Returns the reply of a fields endpoint with `count` fields. */
export function fieldSets(count) {
  const fields = Array.from({ length: count }, (_, at) => {
    const { right, wrong, depends, ...rules } = KINDS[at % KINDS.length];
    return {
      fieldId: `FIELD_${at}`,
      name: `Field ${at}`,
      isRequired: !depends,
      visibility: depends ? "SHOW_AND_OPTIONAL" : "SHOW_AND_REQUIRED",
      placeholderText: "",
      sortOrder: at,
      ...rules,
      ...(depends && {
        dependencies: { isRequired: [{ comparisonOperator: "NOT_EQUAL_TO", comparisonValues: ["none"], fieldId: "FIELD_0" }] },
      }),
    };
  });
  return { fieldSets: [{ fieldSetId: "account", fieldSetName: "Account", fields }] };
}

/** @param which "right" or "wrong" */
export function fieldValues(count, which) {
  const values = {};
  for (let at = 0; at < count; at += 1) {
    const value = KINDS[at % KINDS.length][which];
    if (value !== undefined) values[`FIELD_${at}`] = value;
  }
  return values;
}
