/** Returns equal keys for equal plain data, in any order of members. All unreadable data has one key. */
export function contentOf(value) {
  try {
    return JSON.stringify(value, (_, item) => {
      if (typeof item === "bigint") return `${item}n`;
      return isRecord(item) ? Object.fromEntries(Object.entries(item).sort(byName)) : item;
    });
  } catch {
    return "unreadable";
  }
}

const isRecord = (item) => typeof item === "object" && item !== null && !Array.isArray(item);
const byName = ([a], [b]) => (a < b ? -1 : 1);
