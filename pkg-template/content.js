/**
 * The content of plain data as text: equal for equal content, whatever the order of its members, and whether
 * or not the objects are the same. Data that cannot be read counts as one and the same; whoever is given it
 * says what is wrong with it.
 */
export function contentOf(value) {
  try {
    return JSON.stringify(value, (_, item) => {
      if (typeof item === "bigint") {
        return `${item}n`;
      }
      return isRecord(item) ? Object.fromEntries(Object.entries(item).sort(byName)) : item;
    });
  } catch {
    return "unreadable";
  }
}

const isRecord = (item) => typeof item === "object" && item !== null && !Array.isArray(item);
const byName = ([a], [b]) => (a < b ? -1 : 1);
