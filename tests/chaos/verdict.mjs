/**
 * Compares what the pages reported with what stands in the database. Pure.
 *
 * @param intents `{ id, amount }` of each transfer that was wanted
 * @param quotes a Map from the quoteHistoryIds that a page registered to intent ids
 * @param outcomes `{ intent, created, transferId? }`: every report, also several of one intent
 * @param rows `{ transferId, quoteHistoryId, amount }` of the database
 * @returns lists of what is wrong, each entry with what is needed to look into it
 */
export function judge({ intents, quotes, outcomes, rows }) {
  const byId = new Map(intents.map((intent) => [intent.id, intent]));
  const owners = ownersByAmount(intents);
  const rowsOf = new Map(intents.map((intent) => [intent.id, []]));
  const reports = new Map(intents.map((intent) => [intent.id, []]));
  const ownerOfTransfer = new Map();
  const verdict = { duplicates: [], lost: [], wrong: [], unresolved: [], wrongAmounts: [], strayRows: [] };

  for (const row of rows) {
    // The SDK may not take a quote that no page knows of; if it does, the amount tells whose row it is.
    const owner = quotes.get(row.quoteHistoryId) ?? owners.get(row.amount);
    if (owner === undefined) {
      verdict.strayRows.push(row);
      continue;
    }
    rowsOf.get(owner).push(row);
    ownerOfTransfer.set(row.transferId, owner);
    if (row.amount !== byId.get(owner).amount) verdict.wrongAmounts.push({ intent: owner, row });
  }
  for (const outcome of outcomes) reports.get(outcome.intent).push(outcome);

  for (const { id } of intents) {
    const [made, told] = [rowsOf.get(id), reports.get(id)];
    if (made.length > 1) verdict.duplicates.push({ intent: id, rows: made });
    if (told.length === 0) verdict.unresolved.push({ intent: id, rows: made });
    const lost = told.find((report) => report.created && ownerOfTransfer.get(report.transferId) !== id);
    if (lost) verdict.lost.push({ intent: id, report: lost, rows: made });
    const refused = told.find((report) => !report.created);
    if (refused && made.length > 0) verdict.wrong.push({ intent: id, report: refused, rows: made });
  }
  return verdict;
}

/** Whether nothing at all is wrong. */
export function isClean(verdict) {
  return Object.values(verdict).every((faults) => faults.length === 0);
}

/** Amounts that one intent alone has. */
function ownersByAmount(intents) {
  const owners = new Map();
  for (const { id, amount } of intents) owners.set(amount, owners.has(amount) ? undefined : id);
  return owners;
}
