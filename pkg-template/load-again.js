/**
 * Imports a module when it is wanted, and again where that has failed. Firefox keeps a failed import for as
 * long as the page is there: only under another address it asks once more. Which address a bundler has given
 * the module, the failure says.
 *
 * `load` imports it as bundlers know it, `loadFrom` by an address.
 */
export function loadAgain(load, loadFrom) {
  let attempts = 0;
  let found;
  return async () => {
    if (found !== undefined) {
      return found;
    }
    try {
      return await load();
    } catch (cause) {
      const [address] = /\w+:\/\/\S+$/.exec(cause?.message) ?? [];
      attempts += 1;
      if (attempts === 1 || address === undefined) {
        throw cause;
      }
      const other = new URL(address);
      other.searchParams.set("again", attempts);
      found = await loadFrom(other.href);
      return found;
    }
  };
}
