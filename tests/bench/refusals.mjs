// Malformed values, by who refuses them.

/**
 * Values that the SDK accepts on purpose although a hand-written schema refuses them, each with the reason.
 * Any other value of this kind fails the run.
 */
const ON_PURPOSE = [
  {
    group: /^input of /,
    what: /^fields\.0\.value is (-1|a fraction)$/,
    reason: "the form that requests a field says which kind of value it takes, and checks the input next",
  },
];

/** Returns the counts of the page's refusals by group, and the rows that must not exist. */
export function refusalsOf(rows) {
  const groups = {};
  const differences = [];
  const onPurpose = [];
  for (const row of rows) {
    const { group, what, sdk, handBuilt, good } = row;
    const counts = { tried: 0, both: 0, "SDK alone": 0, "hand-built alone": 0, neither: 0 };
    const counted = (groups[group] ??= counts);
    counted.tried += 1;
    if (good) {
      // Refusing bad values proves nothing where good ones are refused, too.
      if (sdk || handBuilt) differences.push({ ...row, what: `${what}: good, and refused` });
      continue;
    }
    counted[sdk ? (handBuilt ? "both" : "SDK alone") : handBuilt ? "hand-built alone" : "neither"] += 1;
    if (sdk || !handBuilt) continue;
    const purpose = ON_PURPOSE.find((one) => one.group.test(group) && one.what.test(what));
    if (purpose) onPurpose.push({ group, what, reason: purpose.reason });
    else differences.push(row);
  }
  return { tried: rows.length, groups, differences, onPurpose };
}
