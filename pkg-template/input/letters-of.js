/**
 * Returns the letters of an id: records and forms name known fields in two ways, such as `firstName` and
 * `FIRST_NAME`. As `is_same_field` in Rust, by the same test vectors: the elements ask it of every field.
 */
export const lettersOf = (id) => `${id}`.replaceAll("_", "").toLowerCase();
