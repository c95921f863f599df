/** The functions of `first-load.js` that the card form's part uses. */
export let failure, focusedElement, invalid, isRemitError, notify;
export let Outcome, readAnswer, readMember, timeOf, toJson;

export function take(firstLoad) {
  ({ failure, focusedElement, invalid, isRemitError, notify } = firstLoad);
  ({ Outcome, readAnswer, readMember, timeOf, toJson } = firstLoad);
}
