/** Asserts that a value has this type, no wider and no narrower. */
export declare function exactly<Expected>(): <Actual>(
  value: Actual,
  ..._: [Actual] extends [Expected] ? ([Expected] extends [Actual] ? [] : [never]) : [never]
) => void;
