// What the card form needs.

export { CardForm } from "./card-form.js";
