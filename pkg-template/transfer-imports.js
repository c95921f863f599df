/** The functions of `first-load.js` that the transfer part uses. */
export let failure, fieldFailure, followSignal, invalid, isWellFormed, Outcome;
export let readAnswer, readMembers, readText, standardFailure, toJson, toPlain;

export function take(firstLoad) {
  ({ failure, fieldFailure, followSignal, invalid, isWellFormed, Outcome } = firstLoad);
  ({ readAnswer, readMembers, readText, standardFailure, toJson, toPlain } = firstLoad);
}
