/** The functions of `first-load.js` that the transfer part uses. */
export let failure, fieldFailure, followSignal, invalid, makePublic, Deferred, readMembers, readText;
export let standardFailure, toJson, toPlain;

export function bindFirstLoad(firstLoad) {
  ({ failure, fieldFailure, followSignal, invalid, makePublic, Deferred, readMembers, readText } = firstLoad);
  ({ standardFailure, toJson, toPlain } = firstLoad);
}
