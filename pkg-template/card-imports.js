/** What the card form's part uses of `first-load.js`. */
export let failure, focusedElement, invalid, isRemitError, notify, Outcome, readAnswer, readMember, timeOf, toJson;

export function take(firstLoad) {
  ({ failure, focusedElement, invalid, isRemitError, notify, Outcome, readAnswer, readMember, timeOf, toJson } = firstLoad);
}
