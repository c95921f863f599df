import { invalid } from "../errors/errors.js";
import { readMembers } from "../input/plain.js";

export function withTrigger(request, trigger) {
  const changed = readMembers(request, "request");
  const way = wayOf(trigger);
  if (way.amount !== undefined) return { ...changed, amount: way.amount };
  if (way.property !== undefined) return put(changed, way.property, way.value);
  const [id, value] = way.lastName === undefined ? [way.field, way.value] : ["lastName", way.lastName];
  const others = (changed.fields ?? []).filter((field) => field.id !== id);
  return { ...changed, fields: value === null ? others : [...others, { id, value }] };
}

function put(object, name, value) {
  const { [name]: _, ...others } = object;
  return value === null ? others : { ...others, [name]: value };
}

/** Returns a way, or a trigger's first way that a request can carry. */
function wayOf(trigger) {
  const ways = Array.isArray(trigger?.ways) ? trigger.ways : [trigger];
  const found = ways.find((way) =>
    ["amount", "property", "field", "lastName"].some((name) => way?.[name] !== undefined),
  );
  if (found === undefined) {
    const rule = ways.find((way) => way?.rule !== undefined)?.rule;
    const why = rule === undefined ? "" : `. This one takes more than a request: ${rule.replace(/\.$/, "")}`;
    throw invalid("InvalidRequest", "trigger", `one that a request can carry${why}`);
  }
  return found;
}
