/** The functions of `first-load.js` that the transfer part uses. */
export let failure, fieldFailure, followSignal, invalid, Outcome, standardFailure, toPlain;

export function take(firstLoad) {
  ({ failure, fieldFailure, followSignal, invalid, Outcome, standardFailure, toPlain } = firstLoad);
}
