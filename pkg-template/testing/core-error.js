import { RemitError } from "../core/remit-error.js";

/** Returns an error of `CORE_ERRORS`. */
export const coreError = ({ code, message, ...details }) => new RemitError(code, message, details);
