// The core writes a whole number beyond 2^53 as a string of its digits, "n" and NUL, as JSON.parse would
// round it.
const BIGINT = /^-?\d+n\0$/;

export function parseWithBigints(text) {
  return JSON.parse(text, (_, value) =>
    typeof value === "string" && BIGINT.test(value) ? BigInt(value.slice(0, -2)) : value,
  );
}
