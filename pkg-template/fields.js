export { createFieldControls } from "./fields/controls.js";
