export { createFieldControls } from "./fields/create-controls.js";
export { defineRemitFields } from "./fields/define.js";
export { defineRemitAmount } from "./fields/define-amount.js";
