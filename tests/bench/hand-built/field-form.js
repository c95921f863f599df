// A schema of a fields endpoint's reply, made once; each check returns all problems at once.

import * as z from "zod/mini";
import { hasChoices, holds, isAlwaysRequired, isDate, isEmpty, problem } from "./field-rules.js";

export function createFieldForm({ fieldSets }) {
  const fields = fieldSets.flatMap((set) => set.fields);
  const schema = z.object(Object.fromEntries(fields.map((field) => [field.fieldId, valueOf(field)])));
  const always = fields.filter(isAlwaysRequired);
  const sometimes = fields.filter((field) => !always.includes(field) && field.dependencies?.isRequired?.length);
  const order = new Map(fields.map((field, at) => [field.fieldId, at]));

  return {
    check(values) {
      const problems = new Map();
      const missing = ({ fieldId }) => {
        const value = values[fieldId];
        if (!isEmpty(value)) return;
        problems.set(fieldId, problem(fieldId, value === undefined ? "MissingRequiredField" : "NotEmptyValidator"));
      };
      for (const field of always) missing(field);
      for (const field of sometimes) {
        if (field.dependencies.isRequired.some((one) => holds(one, values))) missing(field);
      }
      const result = schema.safeParse(values);
      for (const issue of result.success ? [] : result.error.issues) {
        const fieldId = String(issue.path[0]);
        if (!problems.has(fieldId)) problems.set(fieldId, problem(fieldId, "ValueRegexFailure"));
      }
      return [...problems.values()].sort((a, b) => order.get(a.fieldId) - order.get(b.fieldId));
    },
  };
}

const EMPTY = z.union([z.undefined(), z.null(), z.string().check(z.regex(/^\s*$/))]);

function valueOf(field) {
  const text = textOf(field);
  const isPhone = field.fieldType === "PHONE_NUMBER";
  return z.union([isPhone ? z.object({ number: text.check(z.regex(/\S/)) }) : text, EMPTY]);
}

function textOf(field) {
  const { fieldType, regex, minLength, maxLength, minValue, maxValue } = field;
  const checks = [];
  if (maxLength != null) checks.push(z.maxLength(maxLength));
  if (minLength != null) checks.push(z.minLength(minLength));
  if (fieldType === "DATE") checks.push(z.refine(isDate));
  if (fieldType === "DATE" && minValue != null) checks.push(z.refine((text) => text >= minValue));
  if (fieldType === "DATE" && maxValue != null) checks.push(z.refine((text) => text <= maxValue));
  if (regex != null) checks.push(z.regex(new RegExp(regex)));
  const isChoice = fieldType === "DROPDOWN" && hasChoices(field);
  const base = isChoice ? z.enum(field.options.map((option) => option.id)) : z.string();
  return checks.length > 0 ? base.check(...checks) : base;
}
