const split = (names) => names.split(/\s+/).sort();

const PACKAGE = `RemitError createRemitKit darkTheme disclosureTexts formatAmount fromMinorUnits isRemitError lightTheme
  parseAmount preload themeContrast toMinorUnits`;

/** The names that each entry point exports, and no others. */
export const EXPORTS = {
  ".": split(PACKAGE),
  "./element": ["defineRemitCardForm"],
  "./fields": ["createFieldControls", "defineRemitAmount", "defineRemitFields"],
  "./inline": split(PACKAGE),
  "./jsx/preact": [],
  "./jsx/react": [],
  "./jsx/solid": [],
  "./jsx/svelte": [],
  "./jsx/vue": [],
  "./react": split(`AmountForm CardForm FieldFormView RemitKitProvider useCorridors useFieldControl useFieldForm useFieldOptions
    usePendingTransfers useQuote useRemitKit useSecondsLeft`),
  "./remitkit.min.js": split(`${PACKAGE} createFieldControls defineRemitAmount defineRemitCardForm defineRemitFields`),
  "./server": split("RemitError createTokenIssuer createWebhookReceiver isRemitError parseTransferWebhook"),
  "./testing": split(`cardSessionBehaviours connectSandbox expectFaultsUsed expectTransfers failingTransferAmount fakeCardForm
    fakeCardFrame fakeFieldForm fakeRemitKit fakeTransferAttempt fillCardForm sandboxClients sandboxFixture
    sandboxGlobalSetup sandboxSenders startSandbox testCards triggers withTrigger`),
};
