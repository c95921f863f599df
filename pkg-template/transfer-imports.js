/** What the transfers' part uses of `first-load.js`. */
export let failure, fieldFailure, followSignal, invalid, isWellFormed, readAnswer, readMembers, readText, standardFailure, toJson, toPlain;

export function take(firstLoad) {
  ({ failure, fieldFailure, followSignal, invalid, isWellFormed, readAnswer, readMembers, readText, standardFailure, toJson, toPlain } = firstLoad);
}
