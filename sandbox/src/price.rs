//! The arithmetic of quotes: integers throughout, rounded once by the currency's own rule.

use serde::{Deserialize, Serialize};

use crate::corridor::{QuoteBy, TransferMethod};
use crate::currency::{Currency, RoundDirection};

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

/// The amounts of a quote.
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
pub(crate) struct Terms {
    pub(crate) source: &'static Currency,
    pub(crate) destination: &'static Currency,
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
fn divide(dividend: i128, divisor: i128, rounding: RoundDirection) -> Option<i128> {
    let (quotient, rest) = (dividend.checked_div(divisor)?, dividend.checked_rem(divisor)?);
    let up = match rounding {
        RoundDirection::Standard => rest.checked_mul(2)? >= divisor,
        RoundDirection::Up => rest > 0,
    };
    quotient.checked_add(i128::from(up))
}

impl Terms {
    /// Returns the market's cross rate less the margin.
    fn rate_micros(&self) -> Option<i64> {
        if self.source.iso3_code == self.destination.iso3_code {
            return i64::try_from(RATE_SCALE).ok();
        }
        let margin_basis_points: i128 = match self.method {
            TransferMethod::BankAccount => 60,
            TransferMethod::PushToCard => 90,
            TransferMethod::MobileWallet => 110,
            TransferMethod::CashPickup => 140,
            TransferMethod::AccountFunding => 0,
        };
        let market = i128::from(self.destination.micros_per_dollar)
            .checked_mul(RATE_SCALE)?
            .checked_div(i128::from(self.source.micros_per_dollar))?;
        let kept = market.checked_mul(10_000 - margin_basis_points)?;
        let moved = kept.checked_mul(RATE_SCALE + i128::from(self.drift_micros))?;
        i64::try_from(divide(moved, 10_000 * RATE_SCALE, RoundDirection::Standard)?.max(1)).ok()
    }

    /// Converts US cents into minor units of the source currency.
    fn cents_in_source(&self, cents: i64) -> Option<i128> {
        let scale = 10_i128.checked_pow(self.source.decimal_places)?;
        let amount =
            i128::from(cents).checked_mul(i128::from(self.source.micros_per_dollar))?.checked_mul(scale)?;
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
        let fixed_cents = self.fee_change_cents.checked_add(fixed_cents)?;
        let share = |basis_points: i64| {
            let part = send.checked_mul(i128::from(basis_points))?;
            divide(part, 10_000, RoundDirection::Standard)
        };
        let fee = self.cents_in_source(fixed_cents)?.checked_add(share(basis_points)?)?;
        let tax = share(self.tax_basis_points)?;
        // The fixed part of the fee is waived from 500 dollars on.
        let discount =
            if send >= self.cents_in_source(50_000)? { self.cents_in_source(fixed_cents)? } else { 0 };
        Some(Adjustments {
            fee: fee.try_into().ok()?,
            tax: tax.try_into().ok()?,
            discount: discount.try_into().ok()?,
        })
    }

    /// Returns the price of sending or receiving `amount`; `None` on overflow.
    pub(crate) fn price(&self, by: QuoteBy, amount: i64) -> Option<Price> {
        let rate_micros = self.rate_micros()?;
        let amount = i128::from(amount);
        let source_scale = 10_i128.checked_pow(self.source.decimal_places)?;
        let destination_scale = 10_i128.checked_pow(self.destination.decimal_places)?;
        let up = i128::from(rate_micros).checked_mul(destination_scale)?;
        let down = RATE_SCALE.checked_mul(source_scale)?;
        let (send, receive) = match by {
            QuoteBy::SendAmount => {
                let rounding = self.destination.round_direction;
                (amount, divide(amount.checked_mul(up)?, down, rounding)?)
            }
            QuoteBy::ReceiveAmount => {
                let rounding = self.source.round_direction;
                (divide(amount.checked_mul(down)?, up, rounding)?, amount)
            }
        };
        let adjustments = self.adjustments(send)?;
        let total = send
            .checked_add(i128::from(adjustments.fee))?
            .checked_add(i128::from(adjustments.tax))?
            .checked_sub(i128::from(adjustments.discount))?;
        Some(Price {
            send: send.try_into().ok()?,
            receive: receive.try_into().ok()?,
            rate_micros,
            adjustments,
            total: total.try_into().ok()?,
        })
    }
}

/// Converts an amount into US cents at the market rate, for limits and balances.
pub(crate) fn in_cents(amount: i64, currency: &Currency) -> Option<i64> {
    let scale = 10_i128.checked_pow(currency.decimal_places)?;
    let divisor = i128::from(currency.micros_per_dollar).checked_mul(scale)?;
    let dividend = i128::from(amount).checked_mul(100)?.checked_mul(RATE_SCALE)?;
    divide(dividend, divisor, RoundDirection::Standard)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::currency::CURRENCIES;
    use proptest::prelude::*;

    #[test]
    fn rounding_follows_the_currency() {
        assert_eq!(divide(1, 1_000, RoundDirection::Up), Some(1));
        assert_eq!(divide(0, 1_000, RoundDirection::Up), Some(0));
        assert_eq!(divide(499, 1_000, RoundDirection::Standard), Some(0));
        assert_eq!(divide(500, 1_000, RoundDirection::Standard), Some(1));
        assert_eq!(divide(1, 0, RoundDirection::Standard), None);
    }

    proptest! {
        #[test]
        fn computed_amounts_match_the_rate_to_one_minor_unit(
            amount in 0_i64..1_000_000_000_000,
            from in 0..CURRENCIES.len(),
            to in 0..CURRENCIES.len(),
            by_receive: bool,
        ) {
            let terms = Terms {
                source: &CURRENCIES[from],
                destination: &CURRENCIES[to],
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
            // send·rate·10^d and receive·10^6·10^s differ by less than one unit of the computed amount.
            let sent = i128::from(price.send) * i128::from(price.rate_micros)
                * 10_i128.pow(terms.destination.decimal_places);
            let got = i128::from(price.receive) * RATE_SCALE
                * 10_i128.pow(terms.source.decimal_places);
            let unit = if by_receive {
                i128::from(price.rate_micros) * 10_i128.pow(terms.destination.decimal_places)
            } else {
                RATE_SCALE * 10_i128.pow(terms.source.decimal_places)
            };
            prop_assert!((sent - got).abs() < unit);
            let a = price.adjustments;
            prop_assert_eq!(price.total, price.send + a.fee + a.tax - a.discount);
            prop_assert!(a.fee >= a.discount);
        }
    }
}
