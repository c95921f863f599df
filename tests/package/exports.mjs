/** The names that the package exports, and no others. */
export const EXPORTS = [
  "RemitError",
  "createRemitKit",
  "darkTheme",
  "formatAmount",
  "fromMinorUnits",
  "isRemitError",
  "lightTheme",
  "parseAmount",
  "preload",
  "themeContrast",
  "toMinorUnits",
];
