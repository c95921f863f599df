/** Returns whether two lists have the same items. */
export const isSameList = (one, other) => one.length === other.length && one.every((item, at) => item === other[at]);
