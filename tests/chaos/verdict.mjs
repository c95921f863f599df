/**
 * Compares what the pages reported with the database. Pure.
 *
 * @param intents `{ id, amount }` of each wanted transfer
 * @param quotes a Map from the registered quoteHistoryIds to intent ids
 * @param outcomes `{ intent, created, transferId? }`: all reports, possibly several of one intent
 * @param rows `{ transferId, quoteHistoryId, amount }` of the database
 * @returns a list for each kind of fault, whose entries have what an investigation needs
 */
export function judge({ intents, quotes, outcomes, rows }) {
  const byId = new Map(intents.map((intent) => [intent.id, { ...intent, made: [], reports: [] }]));
  const owners = ownersByAmount(intents);
  const ownerOfTransfer = new Map();
  const verdict = { duplicates: [], lost: [], wrong: [], unresolved: [], wrongAmounts: [], strayRows: [] };

  for (const row of rows) {
    // The SDK must not use a quote that no page registered; if it does, the amount identifies the intent.
    const owner = quotes.get(row.quoteHistoryId) ?? owners.get(row.amount);
    if (owner === undefined) {
      verdict.strayRows.push(row);
      continue;
    }
    byId.get(owner).made.push(row);
    ownerOfTransfer.set(row.transferId, owner);
    if (row.amount !== byId.get(owner).amount) verdict.wrongAmounts.push({ intent: owner, row });
  }
  for (const outcome of outcomes) byId.get(outcome.intent).reports.push(outcome);

  for (const { id, made, reports } of byId.values()) {
    if (made.length > 1) verdict.duplicates.push({ intent: id, rows: made });
    if (reports.length === 0) verdict.unresolved.push({ intent: id, rows: made });
    const lost = reports.find((report) => report.created && ownerOfTransfer.get(report.transferId) !== id);
    if (lost) verdict.lost.push({ intent: id, report: lost, rows: made });
    const refused = reports.find((report) => !report.created);
    if (refused && made.length > 0) verdict.wrong.push({ intent: id, report: refused, rows: made });
  }
  return verdict;
}

/** Returns the intents that alone have their amount. */
function ownersByAmount(intents) {
  const owners = new Map();
  for (const { id, amount } of intents) owners.set(amount, owners.has(amount) ? undefined : id);
  return owners;
}
