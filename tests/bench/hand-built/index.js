// What a shop would write by hand instead of using the SDK, with openapi-fetch, zod and a listener. Bundled
// as a shop would, once with `zod/mini` and once with full `zod`.

export { mountCardForm } from "./card-form.js";
export { createClient } from "./client.js";
export { createFieldForm } from "./field-form.js";
export { createFieldLoop } from "./field-loop.js";
export { formatAmount, toMinorUnits } from "./money.js";
