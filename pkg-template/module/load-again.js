/**
 * Returns a function that imports a module on demand: once, but again after a failure. Firefox keeps a failed
 * import for the lifetime of the page, and fetches again only under another address. The failure's message
 * names the address that a bundler has given the module.
 *
 * `load` imports the module by its own name, for bundlers; `loadFrom` imports from an address.
 */
export function loadAgain(load, loadFrom = importFrom) {
  let failures = 0;
  let loading;
  const retry = (cause) => {
    const [address] = /\w+:\/\/\S+$/.exec(cause?.message) ?? [];
    failures += 1;
    if (failures === 1 || address === undefined) throw cause;
    const other = new URL(address);
    other.searchParams.set("again", failures);
    return loadFrom(other.href);
  };
  const forget = (cause) => {
    loading = undefined;
    throw cause;
  };
  return () => (loading ??= load().catch(retry).catch(forget));
}

const importFrom = (address) =>
  import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address);
