/** What may have changed a control: autofill need not say `input`. */
export const TYPED = ["input", "change", "keyup", "blur"];

/** Returns whether an event tells an entry for certain, and no more than a look at the control. */
export const isEntry = ({ type }) => type === "input" || type === "change";
