/** The functions of `first-load.js` that the transfer part uses. */
export let failure, followSignal, invalid, lettersOf, makePublic, Deferred, readMembers, readText;
export let standardFailure, toJson;

export function bindFirstLoad(firstLoad) {
  ({ failure, followSignal, invalid, lettersOf, makePublic, Deferred, readMembers, readText } = firstLoad);
  ({ standardFailure, toJson } = firstLoad);
}
