export { defineRemitCardForm } from "./element/define.js";
