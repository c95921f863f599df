import { invalid } from "../errors/errors.js";
import { FieldForm } from "../transfer/field-form.js";
import { readKnown } from "../input/known-options.js";
import { toJson } from "../input/plain.js";
import { FakeHandle } from "./fake-handle.js";

const CARD_ID = "CARD_ID";

export function fakeFieldForm(fields, options = {}) {
  const given = JSON.parse(toJson(fields, "fields"));
  if (!Array.isArray(given)) throw invalid("InvalidRequest", "fields", "a list of fields");
  const { check, choices } = readKnown(options, ["check", "choices"]);
  const all = given.map((field, at) => readField(field, `fields[${at}]`));
  const form = {
    fieldSets: [{ fieldSetId: "fields", fieldSetName: "Fields", fields: all }],
    requiresCard: all.some(({ fieldId, isRequired }) => fieldId === CARD_ID && isRequired),
    check: (json, warnings) =>
      warnings ? [] : (check ?? ((values) => missing(all, values)))(JSON.parse(json)),
    isRequired(fieldId, json) {
      if (all.some((field) => field.fieldId === fieldId)) {
        return form.check(json).some((problem) => problem.fieldId === fieldId);
      }
      throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    },
    toFields: (json) =>
      Object.entries(JSON.parse(json))
        .filter(([, value]) => !isEmpty(value))
        .map(([id, value]) => ({ id, value })),
    async options(fieldId, json) {
      return (
        choices?.(fieldId, JSON.parse(json)) ?? all.find((field) => field.fieldId === fieldId)?.options ?? []
      );
    },
  };
  return new FieldForm(new FakeHandle(), form);
}

function readField(given, name) {
  const field = typeof given === "string" ? { fieldId: given } : { ...given };
  if (typeof field.fieldId !== "string" || field.fieldId === "") {
    throw invalid("InvalidRequest", `${name}.fieldId`, "a text");
  }
  const isRequired = field.isRequired ?? field.visibility?.endsWith?.("_REQUIRED") ?? false;
  const isHidden = field.fieldId === CARD_ID;
  return {
    fieldType: "TEXT",
    name: field.fieldId,
    isRequired,
    visibility: `${isHidden ? "HIDE" : "SHOW"}_AND_${isRequired ? "REQUIRED" : "OPTIONAL"}`,
    placeholderText: "",
    ...field,
  };
}

const isEmpty = (value) =>
  value === undefined || value === null || (typeof value === "string" ? value : value.number).trim() === "";

function missing(fields, values) {
  return fields
    .filter(({ fieldId, isRequired }) => isRequired && isEmpty(values[fieldId]))
    .map(({ fieldId }) => ({
      fieldId,
      code: "MissingRequiredField",
      message: "This field must be filled in.",
    }));
}
