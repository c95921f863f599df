export { disclosureTexts } from "./quote/disclosures.js";
export { isRemitError } from "./errors/errors.js";
export { formatAmount, fromMinorUnits, toMinorUnits } from "./money/money.js";
export { parseAmount } from "./money/parse-amount.js";
export { createRemitKit, preload } from "./create.js";
export { RemitError } from "./core/remit-error.js";
export { themeContrast } from "./card/theme-contrast.js";
export { darkTheme, lightTheme } from "./card/theme.js";
