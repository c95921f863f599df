/** Whether the text matches the service's pattern; undefined if the pattern does not compile. */
export function matches(pattern, text) {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return undefined;
  }
}
