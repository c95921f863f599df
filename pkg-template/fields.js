export { createFieldControls } from "./fields/controls/create-controls.js";
export { defineRemitFields } from "./fields/form/define.js";
export { defineRemitAmount } from "./fields/amount/define-amount.js";
