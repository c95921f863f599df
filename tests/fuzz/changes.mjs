// What is right but for one place.

import { NAMES, hostile } from "./values.mjs";

/** The same meaning in another form, or nearly: each takes a plain object. */
const COSTUMES = [
  (object) => new Proxy(object, {}),
  (object) => Object.assign(Object.create(null), object),
  (object) => Object.freeze(object),
  (object) => ({ toJSON: () => object }),
  (object) => Object.assign(new (class Request {})(), object),
  (object) => Object.create(object),
  (object, chance, world) => (hasBigint(object) ? object : world.foreign(JSON.stringify(object))),
  (object) => getters(object, (value) => () => value),
  (object, _, world) => getters(object, (value) => () => (world.reenter(), value)),
  // The first answer counts, and must be the one that is checked and sent.
  (object, chance, world) => {
    const other = hostile(chance, world, 0);
    return getters(object, (value) => {
      let asked = 0;
      return () => (asked++ === 0 ? value : other);
    });
  },
  (object) => new Proxy(object, { ownKeys: (target) => Reflect.ownKeys(target).reverse() }),
];

/** A plain value with one thing about it changed. Proxies and the like may come of it. */
export function changed(value, chance, world) {
  const places = placesOf(fresh(value));
  const { holder, key } = chance.pick(places);
  const item = holder[key];
  const kind = chance.between(0, 9);
  if (kind < 4) put(holder, key, hostile(chance, world, 1));
  // Plain ones alone: an element of the page would stay frozen or bent for all that follow.
  else if (kind < 7 && isPlain(item) && !Array.isArray(item)) put(holder, key, chance.pick(COSTUMES)(item, chance, world));
  else if (kind === 7) delete holder[key];
  else if (kind === 8 && isPlain(item)) put(item, chance.pick(NAMES), hostile(chance, world, 0));
  else put(holder, key, neighbour(item, chance));
  return places[0].holder.whole;
}

/** Samples share their parts: what is changed or frozen here must not be so in the next one. */
function fresh(value) {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(fresh);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fresh(item)]));
}

/** Every place of a plain value, the whole of it first. */
function placesOf(value) {
  const places = [{ holder: { whole: value }, key: "whole" }];
  for (let i = 0; i < places.length; i += 1) {
    const item = places[i].holder[places[i].key];
    if (isPlain(item)) for (const key of Object.keys(item)) places.push({ holder: item, key });
  }
  return places;
}

/** Something that is nearly the same. */
function neighbour(item, chance) {
  if (typeof item === "string") {
    const at = chance.between(0, item.length);
    return chance.pick([item.slice(0, at) + item.slice(at + 1), item.slice(0, at) + chance.pick(["\ud800", "\0", "a", "Z", " ", "\n", "€", '"', "\\"]) + item.slice(at), item.toLowerCase(), Object(item), item + item]);
  }
  if (typeof item === "number" || typeof item === "bigint") {
    return chance.pick([-Number(item), Number(item) + 0.5, BigInt(Math.trunc(Number(item))), 2n ** 60n + 1n, 2 ** 60, String(item), `${item}n`, Object(item), 0, -0, Number.MAX_SAFE_INTEGER]);
  }
  if (typeof item === "boolean") return chance.pick([!item, Number(item), String(item), Object(item)]);
  return chance.pick([[item], { item }, null, undefined, []]);
}

function put(holder, key, value) {
  // Not every value can be the length of an array: then it stays what it was.
  const isLength = Array.isArray(holder) && key === "length";
  if (!isLength) Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function getters(object, make) {
  const described = Object.entries(object).map(([key, value]) => [key, { get: make(value), enumerable: true, configurable: true }]);
  return Object.defineProperties({}, Object.fromEntries(described));
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function hasBigint(value) {
  if (typeof value === "bigint") return true;
  return isPlain(value) && Object.values(value).some(hasBigint);
}
