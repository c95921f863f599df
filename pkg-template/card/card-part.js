// The part for the card form.

export { CardForm, importNotice as fetchLater } from "./card-form.js";
export { bindFirstLoad } from "./card-imports.js";
export { FrameGuard } from "../core/frame.js";
