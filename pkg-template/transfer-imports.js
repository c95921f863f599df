/** What the transfers' part uses of `first-load.js`. */
export let failure, fieldFailure, invalid, isWellFormed, readAnswer, readMembers, readText, standardFailure, toJson;

export function take(firstLoad) {
  ({ failure, fieldFailure, invalid, isWellFormed, readAnswer, readMembers, readText, standardFailure, toJson } = firstLoad);
}
