// What the parts use of the first load, which hands it to them as they come. A module that both import a
// bundler would put into a script of its own, which a page would wait for before it asks for the wasm.

import { readAnswer } from "./answer.js";
import { failure, fieldFailure, invalid, isRemitError, standardFailure } from "./errors.js";
import { focusedElement } from "./focused.js";
import { notify } from "./notify.js";
import { Outcome } from "./outcome.js";
import { isWellFormed, readMember, readMembers, readText, toJson, toPlain } from "./plain.js";
import { followSignal } from "./signal.js";
import { timeOf } from "./time.js";

export const FIRST_LOAD = {
  failure,
  fieldFailure,
  focusedElement,
  followSignal,
  invalid,
  isRemitError,
  isWellFormed,
  notify,
  Outcome,
  readAnswer,
  readMember,
  readMembers,
  readText,
  standardFailure,
  timeOf,
  toJson,
  toPlain,
};
