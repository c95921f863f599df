const SHOWN = { isRequired: true, visibility: "SHOW_AND_REQUIRED", placeholderText: "" };
const OPTIONAL = { ...SHOWN, isRequired: false, visibility: "SHOW_AND_OPTIONAL" };
const text = (fieldId, more) => ({ ...SHOWN, fieldId, fieldType: "TEXT", name: fieldId, ...more });

/** Fields of each kind, as a service asks for them. */
export const FIELD_SETS = [
  {
    fieldSetId: "PERSON",
    fieldSetName: "Person",
    fields: [
      text("NAME", { label: "Name", regex: "^[A-Za-zÁÉÍÓÚáéíóúñ' ]{2,}$", hintText: "As on the card." }),
      text("SSN", { ...OPTIONAL, label: "Social security number", regex: "^[0-9]{3}-[0-9]{2}-[0-9]{4}$" }),
      text("PHONE", { ...OPTIONAL, label: "Phone", fieldType: "PHONE_NUMBER", regex: "^[0-9]{10}$" }),
      text("BIRTH", { ...OPTIONAL, label: "Date of birth", fieldType: "DATE" }),
    ],
  },
  {
    fieldSetId: "ACCOUNT",
    fieldSetName: "Account",
    fields: [
      text("BANK", { ...OPTIONAL, label: "Bank", fieldType: "DROPDOWN", options: [{ id: "A", name: "Banco A" }, { id: "B", name: "Banco B" }] }),
      text("iban", { ...OPTIONAL, label: "IBAN", maxLength: 24 }),
      text("NOTE", { ...OPTIONAL, label: "Note", maxLength: 20 }),
    ],
  },
];
