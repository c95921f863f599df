export { disclosureTexts } from "./disclosures.js";
export { isRemitError } from "./errors.js";
export { formatAmount, fromMinorUnits, toMinorUnits } from "./money.js";
export { parseAmount } from "./parse-amount.js";
export { createRemitKit, preload } from "./create.js";
export { RemitError } from "./remit-error.js";
export { themeContrast } from "./theme-contrast.js";
export { darkTheme, lightTheme } from "./theme.js";
