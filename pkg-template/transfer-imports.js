/** The functions of `first-load.js` that the transfer part uses. */
export let makePublic, failure, fieldFailure, followSignal, invalid, isWellFormed, listJson, Outcome;
export let readAnswer, readMembers, readText, standardFailure, toJson, toPlain;

export function take(firstLoad) {
  ({ makePublic, failure, fieldFailure, followSignal, invalid } = firstLoad);
  ({ isWellFormed, listJson, Outcome } = firstLoad);
  ({ readAnswer, readMembers, readText, standardFailure, toJson, toPlain } = firstLoad);
}
