import { takenOnPurpose } from "./page/taken-on-purpose.js";

/** The rows of the page's table of refusals, group by group, and those that must not be. */
export function refusalsOf(rows) {
  const groups = {};
  const differences = [];
  const onPurpose = [];
  for (const row of rows) {
    const group = (groups[row.group] ??= { tried: 0, both: 0, sdkAlone: 0, handBuiltAlone: 0, neither: 0 });
    group.tried += 1;
    if (row.good) {
      // Who refuses what is good proves nothing by refusing what is not.
      if (row.sdk || row.handBuilt) differences.push({ ...row, what: `${row.what}: good, and refused` });
      continue;
    }
    group[row.sdk ? (row.handBuilt ? "both" : "sdkAlone") : row.handBuilt ? "handBuiltAlone" : "neither"] += 1;
    if (row.sdk || !row.handBuilt) continue;
    const reason = takenOnPurpose(row);
    if (reason) onPurpose.push({ group: row.group, what: row.what, reason });
    else differences.push(row);
  }
  return { tried: rows.length, groups, differences, onPurpose };
}
