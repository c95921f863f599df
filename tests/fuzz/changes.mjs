// Values that are right but for one place.

import { NAMES, hostile } from "./values.mjs";

/** Each gives a plain object another form with the same meaning, or nearly. */
const FORMS = [
  (object) => new Proxy(object, {}),
  (object) => Object.assign(Object.create(null), object),
  (object) => Object.freeze(object),
  (object) => ({ toJSON: () => object }),
  (object) => Object.assign(new (class Request {})(), object),
  (object) => Object.create(object),
  (object, _, world) => (hasBigint(object) ? object : world.realm.JSON.parse(JSON.stringify(object))),
  (object) => withGetters(object, (value) => () => value),
  (object, _, world) => withGetters(object, (value) => () => (world.reenter(), value)),
  // The first read must be the one that is checked and sent.
  (object, chance, world) => {
    const other = hostile(chance, world, 0);
    return withGetters(object, (value) => {
      let reads = 0;
      return () => (reads++ === 0 ? value : other);
    });
  },
  (object) => new Proxy(object, { ownKeys: (target) => Reflect.ownKeys(target).reverse() }),
];

/** Returns a copy of a plain value with one thing changed. */
export function changed(value, chance, world) {
  const places = placesOf(copyOf(value));
  const { holder, key } = chance.pick(places);
  const item = holder[key];
  const kind = chance.between(0, 9);
  if (kind < 4) put(holder, key, hostile(chance, world, 1));
  // Plain objects alone: an element of the page would stay changed for all later inputs.
  else if (kind < 7 && isPlain(item) && !Array.isArray(item)) {
    put(holder, key, chance.pick(FORMS)(item, chance, world));
  }
  else if (kind === 7) delete holder[key];
  else if (kind === 8 && isPlain(item)) put(item, chance.pick(NAMES), hostile(chance, world, 0));
  else put(holder, key, neighbour(item, chance));
  return places[0].holder.whole;
}

/** Copies plain objects alone: samples share their parts. */
function copyOf(value) {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyOf(item)]));
}

/** Returns every place of a plain value, the whole of it first. */
function placesOf(value) {
  const places = [{ holder: { whole: value }, key: "whole" }];
  for (const { holder, key } of places) {
    const item = holder[key];
    if (isPlain(item)) places.push(...Object.keys(item).map((name) => ({ holder: item, key: name })));
  }
  return places;
}

const INSERTED = ["\ud800", "\0", "a", "Z", " ", "\n", "€", '"', "\\"];

/** Returns something that is nearly the same. */
function neighbour(item, chance) {
  if (typeof item === "string") {
    const at = chance.between(0, item.length);
    const without = item.slice(0, at) + item.slice(at + 1);
    const inserted = item.slice(0, at) + chance.pick(INSERTED) + item.slice(at);
    return chance.pick([without, inserted, item.toLowerCase(), Object(item), item + item]);
  }
  if (typeof item === "number" || typeof item === "bigint") {
    const number = Number(item);
    const near = [-number, number + 0.5, BigInt(Math.trunc(number)), String(item), `${item}n`, Object(item)];
    return chance.pick([...near, 2n ** 60n + 1n, 2 ** 60, 0, -0, Number.MAX_SAFE_INTEGER]);
  }
  if (typeof item === "boolean") return chance.pick([!item, Number(item), String(item), Object(item)]);
  return chance.pick([[item], { item }, null, undefined, []]);
}

function put(holder, key, value) {
  // Not every value can be an array's length.
  if (Array.isArray(holder) && key === "length") return;
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function withGetters(object, make) {
  const getter = (value) => ({ get: make(value), enumerable: true, configurable: true });
  const getters = Object.entries(object).map(([key, value]) => [key, getter(value)]);
  return Object.defineProperties({}, Object.fromEntries(getters));
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function hasBigint(value) {
  return typeof value === "bigint" || (isPlain(value) && Object.values(value).some(hasBigint));
}
