/** The events of a card form. */
export const CARD_EVENT_TYPES = /* @__PURE__ */ Object.freeze([
  "READY",
  "LOAD_FAILED",
  "CARD_VALIDATION_START",
  "CARD_VALIDATION_STOP_SUCCESS",
  "CARD_VALIDATION_STOP_FAIL",
  "CARD_VALIDATION_STOP_EXPIRED",
]);
