import type { FieldDefinition, FieldForm, FieldValues } from "remitkit";

/** As people type them: `toFields()` gives what the service takes. */
const BY_NAME: [RegExp, string][] = [
  [/first/i, "Ana María"],
  [/last|surname/i, "García López"],
  [/company/i, "Textiles del Sur"],
  [/email/i, "ana@example.com"],
  [/line/i, "Avenida Juárez 120"],
  [/city|state|neighborhood/i, "Centro"],
  [/zip|postal/i, "44600"],
];
const NUMBERS = [
  "0321 8000 0118 3597 19",
  "de89 3704 0044 0532 0130 00",
  "kw81 cbku 0000 0000 0000 1234 5601 01",
  "caixesbbxxx",
  "hdfc0001234",
  "sw1a 1aa",
  "12-34-56",
  "021000021",
  "12345678",
  "1234567",
  "1234567890",
  "A1234567",
  "1",
];
const DATES = ["1990-05-14", "2032-01-31"];
const PHONES = ["55 1234 5678", "912 345 678", "1234 5678"];
/** Stands for what the hosted card form gives. */
const CARD_ID = "00000000-0000-4000-8000-000000000000";

/** Finds values that the form accepts, for all fields that are shown or required with them. */
export async function exampleOf(form: FieldForm, country: string): Promise<FieldValues> {
  const values: FieldValues = form.requiresCard ? { CARD_ID } : {};
  for (const field of form.fieldSets.flatMap(({ fields }) => fields)) {
    const { fieldId, visibility } = field;
    const isShown = visibility.startsWith("SHOW") || form.isRequired(fieldId, values);
    if (values[fieldId] || !isShown) continue;
    const candidates = await candidatesOf(field, form, values, country);
    const isAccepted = (value: FieldValues[string]) => {
      const found = { ...values, [fieldId]: value };
      return [...form.check(found), ...form.warnings(found)].every((problem) => problem.fieldId !== fieldId);
    };
    values[fieldId] = candidates.find(isAccepted);
  }
  return values;
}

async function candidatesOf(
  { fieldId, fieldType }: FieldDefinition,
  form: FieldForm,
  values: FieldValues,
  countryIso3Code: string,
): Promise<FieldValues[string][]> {
  if (fieldType === "DROPDOWN") return (await form.options(fieldId, values)).map(({ id }) => id);
  if (fieldType === "DATE") return DATES;
  if (fieldType === "PHONE_NUMBER") return PHONES.map((number) => ({ number, countryIso3Code }));
  const fitting = BY_NAME.filter(([name]) => name.test(fieldId));
  const others = BY_NAME.filter(([name]) => !name.test(fieldId));
  return [...fitting, ...others].map(([, text]) => text).toSpliced(fitting.length, 0, ...NUMBERS);
}
