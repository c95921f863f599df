export { createFieldControls } from "./fields/controls.js";
export { defineRemitFields } from "./fields/define.js";
