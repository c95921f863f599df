/**
 * A value that this version does not list, as the service may add some. It is text like any other, but no
 * service sends this prefix: so a misspelled literal does not compile, neither where a value is passed nor
 * where one is compared. What was read can be passed on as it is, and a `switch` needs a `default`. Write a
 * value that you know exists as `"NEW_VALUE" as TransferMethod`.
 */
export type Unlisted = `<unlisted>${string}`;
