//! The arithmetic of quotes: integers throughout, rounded once by the currency's own rule.

use serde::{Deserialize, Serialize};

use crate::corridor::QuoteBy;
use crate::currency::{Currency, RoundDirection};
use crate::transfer_method::TransferMethod;

/// Rates are in millionths of a destination unit per source unit.
pub(crate) const RATE_SCALE: i128 = 1_000_000;

/// What is added to the amount sent, in minor units of the source currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Adjustments {
    pub(crate) fee: i64,
    pub(crate) tax: i64,
    /// At least 0; a quote shows it as a negative adjustment.
    pub(crate) discount: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Price {
    pub(crate) send: i64,
    pub(crate) receive: i64,
    pub(crate) rate_micros: i64,
    pub(crate) adjustments: Adjustments,
    pub(crate) total: i64,
}

/// What a price depends on, besides the amount.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'a> {
    pub(crate) source: &'a Currency,
    pub(crate) destination: &'a Currency,
    pub(crate) method: TransferMethod,
    /// The country's tax on the amount sent.
    pub(crate) tax_basis_points: i64,
    /// The change of the rate, in millionths.
    pub(crate) drift_micros: i64,
    /// The change of the method's fee, in US cents.
    pub(crate) fee_change_cents: i64,
    /// Whether the receiving account is known: a known card costs less.
    pub(crate) account_known: bool,
}

/// Divides and rounds. The dividend is at least 0, the divisor greater than 0.
fn divide(dividend: i128, divisor: i128, rounding: RoundDirection) -> i128 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    let up = match rounding {
        RoundDirection::Standard => rest * 2 >= divisor,
        RoundDirection::Up => rest > 0,
    };
    quotient + i128::from(up)
}

fn scale(currency: &Currency) -> i128 {
    10_i128.pow(currency.decimal_places)
}

// Products fit 128 bits: an amount has at most 63, a rate 44, a scale or basis points 14.
impl Terms<'_> {
    /// Returns the market's cross rate less the margin.
    fn rate_micros(&self) -> i128 {
        if self.source.iso3_code == self.destination.iso3_code {
            return RATE_SCALE;
        }
        let margin_basis_points = match self.method {
            TransferMethod::BankAccount => 60,
            TransferMethod::PushToCard => 90,
            TransferMethod::MobileWallet => 110,
            TransferMethod::CashPickup => 140,
            TransferMethod::AccountFunding => 0,
        };
        let [source, destination] =
            [self.source, self.destination].map(|currency| i128::from(currency.micros_per_dollar));
        let kept = destination * RATE_SCALE / source * (10_000 - margin_basis_points);
        let moved = kept * (RATE_SCALE + i128::from(self.drift_micros));
        divide(moved, 10_000 * RATE_SCALE, RoundDirection::Standard).max(1)
    }

    /// Converts US cents into minor units of the source currency.
    fn cents_in_source(&self, cents: i64) -> i128 {
        let amount = i128::from(cents) * i128::from(self.source.micros_per_dollar) * scale(self.source);
        divide(amount, 100 * RATE_SCALE, RoundDirection::Standard)
    }

    fn adjustments(&self, send: i128) -> Option<Adjustments> {
        let (fixed_cents, basis_points) = match self.method {
            TransferMethod::BankAccount => (199, 50),
            TransferMethod::PushToCard => (299, if self.account_known { 60 } else { 75 }),
            TransferMethod::MobileWallet => (149, 60),
            TransferMethod::CashPickup => (399, 100),
            TransferMethod::AccountFunding => (0, 0),
        };
        let fixed = self.cents_in_source(fixed_cents + self.fee_change_cents);
        let share =
            |basis_points: i64| divide(send * i128::from(basis_points), 10_000, RoundDirection::Standard);
        // The fixed part of the fee is waived from 500 dollars on.
        let discount = if send >= self.cents_in_source(50_000) { fixed } else { 0 };
        Some(Adjustments {
            fee: (fixed + share(basis_points)).try_into().ok()?,
            tax: share(self.tax_basis_points).try_into().ok()?,
            discount: discount.try_into().ok()?,
        })
    }

    /// Returns the price of sending or receiving `amount`, or `None` where an amount exceeds 64 bits.
    pub(crate) fn price(&self, by: QuoteBy, amount: i64) -> Option<Price> {
        let (rate_micros, amount) = (self.rate_micros(), i128::from(amount));
        let (up, down) = (rate_micros * scale(self.destination), RATE_SCALE * scale(self.source));
        let (send, receive) = match by {
            QuoteBy::SendAmount => (amount, divide(amount * up, down, self.destination.round_direction)),
            QuoteBy::ReceiveAmount => (divide(amount * down, up, self.source.round_direction), amount),
        };
        let adjustments = self.adjustments(send)?;
        let Adjustments { fee, tax, discount } = adjustments;
        Some(Price {
            send: send.try_into().ok()?,
            receive: receive.try_into().ok()?,
            rate_micros: rate_micros.try_into().ok()?,
            adjustments,
            total: (send + i128::from(fee) + i128::from(tax) - i128::from(discount)).try_into().ok()?,
        })
    }
}

/// Converts an amount into US cents at the market rate, for limits and balances.
pub(crate) fn in_cents(amount: i64, currency: &Currency) -> Option<i64> {
    let divisor = i128::from(currency.micros_per_dollar) * scale(currency);
    divide(i128::from(amount) * 100 * RATE_SCALE, divisor, RoundDirection::Standard).try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use proptest::prelude::*;

    #[test]
    fn rounding_follows_the_currency() {
        for (dividend, rounding, quotient) in [
            (0, RoundDirection::Up, 0),
            (1, RoundDirection::Up, 1),
            (499, RoundDirection::Standard, 0),
            (500, RoundDirection::Standard, 1),
        ] {
            assert_eq!(divide(dividend, 1_000, rounding), quotient);
        }
    }

    proptest! {
        #[test]
        fn computed_amounts_match_the_rate_to_one_minor_unit(
            amount in prop_oneof![0_i64..1_000_000_000_000, 0..=i64::MAX],
            from in 0_usize..27,
            to in 0_usize..27,
            by_receive: bool,
        ) {
            let world = World::built_in().unwrap();
            let terms = Terms {
                source: &world.currencies[from],
                destination: &world.currencies[to],
                method: TransferMethod::PushToCard,
                tax_basis_points: 38,
                drift_micros: -1_200,
                fee_change_cents: 0,
                account_known: false,
            };
            let by = if by_receive { QuoteBy::ReceiveAmount } else { QuoteBy::SendAmount };
            let Some(price) = terms.price(by, amount) else { return Ok(()) };
            let given = if by_receive { price.receive } else { price.send };
            prop_assert_eq!(given, amount);
            let up = i128::from(price.rate_micros) * scale(terms.destination);
            let down = RATE_SCALE * scale(terms.source);
            let difference = i128::from(price.send) * up - i128::from(price.receive) * down;
            let unit = if by_receive { up } else { down };
            prop_assert!(difference.abs() < unit);
            let a = price.adjustments;
            prop_assert_eq!(price.total, price.send + a.fee + a.tax - a.discount);
            prop_assert!(a.fee >= a.discount);
        }
    }
}
