/** The functions of `first-load.js` that the card form's part uses. */
export let failure, focusedElement, invalid, isRemitError, leftOf, makePublic, notify;
export let Outcome, readMember, toJson;

export function take(firstLoad) {
  ({ failure, focusedElement, invalid, isRemitError, leftOf, makePublic, notify } = firstLoad);
  ({ Outcome, readMember, toJson } = firstLoad);
}
