/**
 * What this shop sends in one transfer, in minor units of the currency paid in, as agreed
 * with the service, whose interface does not tell it. `day` would be the most in 24
 * hours; this demo's customer has no such limit.
 */
export const LIMITS = {
  USD: { least: 100, most: 1_000_000, methods: { CASH_PICKUP: { most: 250_000 } } },
  EUR: { least: 100, most: 900_000, methods: { CASH_PICKUP: { most: 225_000 } } },
  GBP: { least: 100, most: 750_000, methods: { CASH_PICKUP: { most: 190_000 } } },
  JPY: { least: 200, most: 1_400_000, methods: { CASH_PICKUP: { most: 350_000 } } },
  KWD: { least: 1_000, most: 3_000_000, methods: { CASH_PICKUP: { most: 750_000 } } },
};
