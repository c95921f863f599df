/** The functions of `first-load.js` that the transfer part uses. */
export let failure, fieldFailure, followSignal, invalid, lettersOf, makePublic, Deferred, readMembers;
export let readText, standardFailure, toJson, toPlain;

export function bindFirstLoad(firstLoad) {
  ({ failure, fieldFailure, followSignal, invalid, lettersOf, makePublic, Deferred, readMembers } = firstLoad);
  ({ readText, standardFailure, toJson, toPlain } = firstLoad);
}
