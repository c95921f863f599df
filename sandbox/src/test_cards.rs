//! The test cards: numbers and their results in the card form.

use serde::Serialize;

use crate::error::ErrorCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub(crate) enum CardOutcome {
    Success,
    /// The card is verified, and accepts one currency only.
    SuccessInCurrency {
        currency: &'static str,
    },
    /// The card is verified, and blocked before a transfer can use it.
    SuccessThenBlocked,
    /// The card is verified. Issued outside the United States, it can receive and not pay.
    SuccessIssuedAbroad,
    Fail {
        code: ErrorCode,
    },
    Expired,
}

/// A card number for the card form.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct TestCard {
    /// Its name among the constants of `remitkit/testing`.
    name: &'static str,
    number: &'static str,
    description: &'static str,
    #[serde(flatten)]
    outcome: CardOutcome,
}

/// Declares the test cards, an entry each: `name number outcome: description;`
macro_rules! test_cards {
    ($($name:ident $number:literal $outcome:expr => $description:literal;)*) => {
        [$(TestCard {
            name: stringify!($name),
            number: $number,
            description: $description,
            outcome: $outcome,
        },)*]
    };
}

use CardOutcome::{Expired, Fail, Success, SuccessInCurrency, SuccessIssuedAbroad, SuccessThenBlocked};
use ErrorCode::{CardNotSupported, CardProvidedCannotBeUsedForThisTransaction};

/// All test cards. Other numbers with a valid check digit are verified.
pub(crate) static TEST_CARDS: [TestCard; 8] = test_cards! {
    success "4111111111111111" Success => "A Visa card that is verified.";
    successMastercard "5555555555554444" Success => "A Mastercard that is verified.";
    invalid "4000000000000002" Fail { code: CardProvidedCannotBeUsedForThisTransaction }
        => "A card that is invalid or inactive.";
    prepaid "4000000000000010" Fail { code: CardNotSupported } => "A prepaid card.";
    foreign "4000000000000028" SuccessIssuedAbroad
        => "A card that was issued outside the United States: it can receive, and not pay.";
    expiresSession "4000000000000036" Expired => "The session expires meanwhile.";
    blockedLater "4000000000000044" SuccessThenBlocked
        => "A card that is blocked after it was verified: transfers to it fail.";
    dollarsOnly "4000000000000051" SuccessInCurrency { currency: "USD" } => "A card that takes US dollars only.";
};

pub(crate) fn outcome(number: &str) -> Option<CardOutcome> {
    if !is_card_number(number) {
        return None;
    }
    let known = TEST_CARDS.iter().find(|card| card.number == number);
    Some(known.map_or(Success, |card| card.outcome))
}

/// Whether these are 13 to 19 digits that pass the Luhn check.
fn is_card_number(number: &str) -> bool {
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
    fn test_cards_have_valid_numbers_and_unique_names() {
        for card in &TEST_CARDS {
            assert!(is_card_number(card.number), "{}", card.number);
            assert_eq!(outcome(card.number), Some(card.outcome));
            assert_eq!(TEST_CARDS.iter().filter(|other| other.name == card.name).count(), 1, "{}", card.name);
        }
        for wrong in ["", "4111111111111112", "411111111111111", "4111 1111 1111 1111", "4111111111111111٠"]
        {
            assert_eq!(outcome(wrong), None, "{wrong}");
        }
        assert_eq!(outcome("378282246310005"), Some(Success));
    }
}
