/**
 * The shop's limits for one transfer, in minor units of the source currency. They are agreed with the
 * service, whose API does not report them.
 */
export const LIMITS = {
  USD: { min: 100, max: 1_000_000, methods: { CASH_PICKUP: { max: 250_000 } } },
  EUR: { min: 100, max: 900_000, methods: { CASH_PICKUP: { max: 225_000 } } },
  GBP: { min: 100, max: 750_000, methods: { CASH_PICKUP: { max: 190_000 } } },
  JPY: { min: 200, max: 1_400_000, methods: { CASH_PICKUP: { max: 350_000 } } },
  KWD: { min: 1_000, max: 3_000_000, methods: { CASH_PICKUP: { max: 750_000 } } },
};
