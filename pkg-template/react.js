"use client";

// Named one by one: a client module must not re-export everything of another.
export { AmountForm } from "./react/amount-form.js";
export { CardForm } from "./react/card-form.js";
export { FieldFormView } from "./react/field-form-view.js";
export { RemitKitProvider, useRemitKit } from "./react/provider.js";
export { useCorridors } from "./react/use-corridors.js";
export { useFieldControl } from "./react/use-field-control.js";
export { useFieldForm } from "./react/use-field-form.js";
export { useFieldOptions } from "./react/use-field-options.js";
export { usePendingTransfers } from "./react/use-pending-transfers.js";
export { useQuote } from "./react/use-quote.js";
export { useSecondsLeft } from "./react/use-seconds-left.js";
