const PACKAGE =
  "RemitError createRemitKit darkTheme formatAmount fromMinorUnits isRemitError lightTheme parseAmount preload themeContrast toMinorUnits";

/** The names that each entry point exports, and no others. */
export const EXPORTS = Object.fromEntries(
  Object.entries({
    ".": PACKAGE,
    "./element": "defineRemitCardForm",
    "./inline": PACKAGE,
    "./react": "CardForm RemitKitProvider useCorridors useFieldForm useFieldOptions usePendingTransfers useQuote useRemitKit useSecondsLeft",
    "./remitkit.min.js": `${PACKAGE} defineRemitCardForm`,
    "./server": "RemitError createTokenIssuer createWebhookReceiver isRemitError parseTransferWebhook",
    "./testing": `cardSessionBehaviours connectSandbox expectTransfers failingTransferAmount fakeCardForm fakeCardFrame fakeFieldForm
      fakeRemitKit fakeTransferAttempt fillCardForm sandboxClients sandboxFixture sandboxGlobalSetup sandboxSenders startSandbox testCards
      triggers withTrigger`,
  }).map(([entry, names]) => [entry, names.split(/\s+/).sort()]),
);
