/**
 * Names whether a component gives the element what it needs as soon as that is there, so that a page has forgotten
 * nothing. Of all copies of the package.
 */
export const IS_AWAITED = Symbol.for("remitkit.isAwaited");
