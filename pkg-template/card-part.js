// What the card form needs.

export { CardForm, importNotice as fetchLater } from "./card-form.js";
export { take } from "./card-imports.js";
