// What a shop would write by hand instead of using the SDK: openapi-fetch, zod, a listener. The benchmark
// bundles it as a shop would, once with `zod/mini` and once with full `zod`.

export { mountCardForm } from "./card-form.js";
export { createClient } from "./client.js";
export { createFieldForm } from "./field-form.js";
export { createFieldLoop } from "./field-loop.js";
export { formatAmount, toMinorUnits } from "./money.js";
