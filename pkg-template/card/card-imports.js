/** The functions of `first-load.js` that the card form's part uses. */
export let failure, focusedElement, invalid, isRemitError, leftOf, makePublic, notify;
export let Deferred, readMember, toJson;

export function bindFirstLoad(firstLoad) {
  ({ failure, focusedElement, invalid, isRemitError, leftOf, makePublic, notify } = firstLoad);
  ({ Deferred, readMember, toJson } = firstLoad);
}
