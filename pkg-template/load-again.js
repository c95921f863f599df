/**
 * Returns a function that imports a module on demand, and again after a failure. Firefox keeps a failed
 * import for the lifetime of the page, and fetches again only under another address. The failure's message
 * names the address that a bundler has given the module.
 *
 * `load` imports the module by its own name, for bundlers; `loadFrom` imports from an address.
 */
export function loadAgain(load, loadFrom = importFrom) {
  let attempts = 0;
  let found;
  return async () => {
    if (found !== undefined) return found;
    try {
      return await load();
    } catch (cause) {
      const [address] = /\w+:\/\/\S+$/.exec(cause?.message) ?? [];
      attempts += 1;
      if (attempts === 1 || address === undefined) throw cause;
      const other = new URL(address);
      other.searchParams.set("again", attempts);
      found = await loadFrom(other.href);
      return found;
    }
  };
}

const importFrom = (address) =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address);
