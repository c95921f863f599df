// The functions of the first load that its parts use; it passes them to each part. If a part imported them
// too, a bundler would put them into a script of their own, and a page would wait for that before it fetches
// the wasm.

import { failure, invalid, isRemitError, standardFailure } from "../errors/errors.js";
import { focusedElement } from "./focused.js";
import { notify } from "../errors/notify.js";
import { Deferred } from "./deferred.js";
import { lettersOf } from "../input/letters-of.js";
import { readMember, readMembers, readText, toJson } from "../input/plain.js";
import { makePublic } from "./public-object.js";
import { followSignal } from "../input/signal.js";
import { leftOf } from "../quote/time.js";

export const FIRST_LOAD = {
  failure, focusedElement, followSignal, invalid, isRemitError, leftOf, lettersOf, makePublic, notify, Deferred,
  readMember, readMembers, readText, standardFailure, toJson,
};
