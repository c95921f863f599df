/** Returns the language of an element, as the page gives it, also across shadow roots. */
export function languageAt(element) {
  const closest = element.closest("[lang]");
  if (closest) return closest.lang || undefined;
  const { host } = element.getRootNode();
  return host ? languageAt(host) : undefined;
}
