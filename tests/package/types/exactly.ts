/** Holds a value to a type that it must have, no wider and no narrower. */
export declare function exactly<Expected>(): <Actual>(
  value: Actual,
  ..._: [Actual] extends [Expected] ? ([Expected] extends [Actual] ? [] : [never]) : [never]
) => void;
