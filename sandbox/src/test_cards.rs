//! Card numbers, and what the card form makes of them.

use serde::{Deserialize, Serialize};

use crate::error::ErrorCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum CardResult {
    Success,
    /// The card is verified, and accepts one currency only.
    SuccessInCurrency,
    /// The card is verified, and blocked before a transfer can use it.
    SuccessThenBlocked,
    /// The card is verified. Issued outside the United States, it can receive and not pay.
    SuccessIssuedAbroad,
    Fail,
    Expired,
}

/// A test card. Other numbers with a valid check digit are verified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TestCard {
    /// Its name among the constants of `remitkit/testing`, which the built-in ones have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) number: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    pub(crate) result: CardResult,
    /// Why it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<ErrorCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) currency: Option<String>,
}

/// Whether these are 13 to 19 digits that pass the Luhn check.
pub(crate) fn is_card_number(number: &str) -> bool {
    if !(13..=19).contains(&number.len()) || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = number
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, byte)| {
            let digit = u32::from(byte - b'0') * if at % 2 == 1 { 2 } else { 1 };
            if digit > 9 { digit - 9 } else { digit }
        })
        .sum();
    sum.is_multiple_of(10)
}

pub(crate) fn brand(number: &str) -> &'static str {
    let start: u32 = number.get(..4).and_then(|start| start.parse().ok()).unwrap_or(0);
    match start {
        4000..=4999 => "VISA",
        2221..=2720 | 5100..=5599 => "MASTERCARD",
        3400..=3499 | 3700..=3799 => "AMEX",
        6011 | 6440..=6599 => "DISCOVER",
        _ => "OTHER",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_numbers_have_a_check_digit() {
        for number in ["4111111111111111", "378282246310005"] {
            assert!(is_card_number(number), "{number}");
        }
        for wrong in ["", "4111111111111112", "411111111111111", "4111 1111 1111 1111", "4111111111111111٠"]
        {
            assert!(!is_card_number(wrong), "{wrong}");
        }
    }
}
