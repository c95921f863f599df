/**
 * A value that this version does not list, as the service may add some. It is text like any other; no service
 * sends this beginning, so that a misspelt literal compiles neither where a value is given nor where one is
 * compared. What was read can be passed on as it is, and a `switch` needs a `default`. Name one that you know
 * to be there as `"NEW_VALUE" as TransferMethod`.
 */
export type Unlisted = `<unlisted>${string}`;
