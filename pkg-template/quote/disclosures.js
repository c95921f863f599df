// The service's legal texts: `disclosures` of a quote, `disclaimers` of a transfer. The interface does not
// define their shape, so whatever has text is shown.

const TITLES = ["title", "label", "heading", "name"];
const TEXTS = ["text", "description"];
// Ids, codes and dates; languages; UUIDs.
const CODE = /^(?:[\dA-Z_.:+-]*|[a-z]{2}(?:[-_]\w+)*|[\da-f-]{36})$/;
/** More objects than any service sends: a page's proxy may have a new one in each member. */
const MAX_OBJECTS = 10_000;

/** Returns what is to be shown of a quote's disclosures or a transfer's disclaimers, in their order. */
export const disclosureTexts = (disclosures) => textsIn(disclosures, new Set());

// What cannot be read, such as a member that throws, leaves out no more than itself.
function textsIn(value, seen) {
  try {
    if (typeof value === "string") return isBlank(value) ? [] : [{ text: value.trim() }];
    if (typeof value !== "object" || value === null) return [];
    if (seen.has(value) || seen.size === MAX_OBJECTS) return [];
    seen.add(value);
    const members = Object.keys(value).map((name) => [name, memberOf(value, name)]);
    return Array.isArray(value) ? textsOf(members, seen) : titledTexts(members, seen);
  } catch {
    return [];
  }
}

const textsOf = (members, seen) => members.flatMap(([, value]) => textsIn(value, seen));

function titledTexts(members, seen) {
  const [titleName, title] = titleIn(members) ?? [];
  const isText = ([name, value]) =>
    name !== titleName && (typeof value !== "string" || TEXTS.includes(name) || !CODE.test(value));
  const texts = textsOf(members.filter(isText), seen);
  if (title === undefined) return texts;
  const [first, ...others] = texts;
  const isUntitled = first !== undefined && first.title === undefined;
  return isUntitled ? [{ title: title.trim(), ...first }, ...others] : [{ text: title.trim() }, ...texts];
}

function titleIn(members) {
  const isTitle = ([, value]) => typeof value === "string" && !isBlank(value);
  return TITLES.flatMap((title) => members.filter(([name]) => name === title)).find(isTitle);
}

function memberOf(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

const isBlank = (text) => text.trim() === "";
