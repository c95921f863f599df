// The part for the card form.

export { CardForm, importNotice as fetchLater } from "./card-form.js";
export { take } from "./card-imports.js";
export { FrameGuard } from "./frame.js";
