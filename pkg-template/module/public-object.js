// What holds for every object that a page gets.
//
// Reactive frameworks such as Vue, Pinia and Alpine wrap what they hold into proxies. A method that is called
// on a proxy has it as `this`, and a proxy has no private members.
//
// Page libraries give all objects members such as `get`: no descriptor or handler of the package inherits any.

const SELF = Symbol("remitkit.self");
const prepared = new WeakSet();
// A method that gives one promise twice does so for its callers as well.
const explained = new WeakMap();

/**
 * Makes the methods and accessors of an object's class work on proxies of the object, and its methods throw
 * and reject with what `explain` makes of an error.
 */
export function makePublic(object, explain) {
  const prototype = Object.getPrototypeOf(object);
  if (!prepared.has(prototype)) prepare(prototype);
  // A function, which no framework wraps, in a property that every proxy has to return as it is.
  Object.defineProperty(object, SELF, { __proto__: null, value: () => ({ object, explain }) });
}

function prepare(prototype) {
  prepared.add(prototype);
  for (const name of Reflect.ownKeys(prototype)) {
    const property = { __proto__: null, ...Object.getOwnPropertyDescriptor(prototype, name) };
    if (property.get) {
      property.get = new Proxy(property.get, { __proto__: null, apply: (get, self) => get.call(of(self).object) });
    } else if (name !== "constructor") {
      property.value = new Proxy(property.value, { __proto__: null, apply });
    }
    Object.defineProperty(prototype, name, property);
  }
}

const of = (self) => self?.[SELF]?.() ?? { object: self };

function apply(method, self, args) {
  const { object, explain } = of(self);
  const rethrow = (error) => {
    throw explain?.(error) ?? error;
  };
  try {
    const result = method.apply(object, args);
    if (!result?.then) return result;
    if (!explained.has(result)) explained.set(result, result.then(undefined, rethrow));
    return explained.get(result);
  } catch (error) {
    return rethrow(error);
  }
}
