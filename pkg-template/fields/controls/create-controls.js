import { invalid } from "../../errors/errors.js";
import { readMembers, readText } from "../../input/plain.js";
import { AUTOFILL } from "./autofill.js";
import { attempt } from "../control.js";
import { fieldControls } from "./controls.js";
import { textsOf } from "../texts.js";

export function createFieldControls(form, options = {}) {
  if (!attempt(() => Array.isArray(form.fieldSets), false)) {
    throw invalid("InvalidRequest", "form", "what a call such as recipientFields() resolves with");
  }
  const given = readMembers(options, "options");
  const { values = {}, masked = {}, country, autofill, idPrefix = "remit", messages, filterOptions, filter } = given;
  return fieldControls(form, {
    values: readMembers(values, "options.values"),
    masked: readMembers(masked, "options.masked"),
    country: country === undefined ? undefined : readText(country, "options.country"),
    autofill: autofill === true ? AUTOFILL : undefined,
    idPrefix: readText(idPrefix, "options.idPrefix"),
    texts: textsOf([messages]),
    filterOptions,
    filter,
  });
}
