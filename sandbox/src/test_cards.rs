//! The test cards: numbers and their results in the card form.

use serde::Serialize;

use crate::error::ErrorCode;

/// The result of entering a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum CardOutcome {
    /// The card is verified.
    Success,
    /// The card is verified, and accepts one currency only.
    SuccessInCurrency {
        /// ISO 4217.
        currency: &'static str,
    },
    /// The card is verified, and blocked before a transfer can use it.
    SuccessThenBlocked,
    /// The card is verified. Issued outside the United States, it can receive and not pay.
    SuccessIssuedAbroad,
    /// The card is rejected.
    Fail {
        /// The reason.
        code: ErrorCode,
    },
    /// The session expires during verification.
    Expired,
}

/// A card number for the card form.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TestCard {
    /// Its name among the constants of `remitkit/testing`.
    pub name: &'static str,
    /// The card's number, without spaces.
    pub number: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// Its result.
    #[serde(flatten)]
    pub outcome: CardOutcome,
}

const fn card(
    name: &'static str,
    number: &'static str,
    description: &'static str,
    outcome: CardOutcome,
) -> TestCard {
    TestCard { name, number, description, outcome }
}

/// All test cards. Other numbers with a valid check digit are verified.
pub static TEST_CARDS: [TestCard; 8] = [
    card("success", "4111111111111111", "A Visa card that is verified.", CardOutcome::Success),
    card("successMastercard", "5555555555554444", "A Mastercard that is verified.", CardOutcome::Success),
    card(
        "invalid",
        "4000000000000002",
        "A card that is invalid or inactive.",
        CardOutcome::Fail { code: ErrorCode::CardProvidedCannotBeUsedForThisTransaction },
    ),
    card(
        "prepaid",
        "4000000000000010",
        "A prepaid card.",
        CardOutcome::Fail { code: ErrorCode::CardNotSupported },
    ),
    card(
        "foreign",
        "4000000000000028",
        "A card that was issued outside the United States: it can receive, and not pay.",
        CardOutcome::SuccessIssuedAbroad,
    ),
    card("expiresSession", "4000000000000036", "The session expires meanwhile.", CardOutcome::Expired),
    card(
        "blockedLater",
        "4000000000000044",
        "A card that is blocked after it was verified: transfers to it fail.",
        CardOutcome::SuccessThenBlocked,
    ),
    card(
        "dollarsOnly",
        "4000000000000051",
        "A card that takes US dollars only.",
        CardOutcome::SuccessInCurrency { currency: "USD" },
    ),
];

pub(crate) fn outcome(number: &str) -> Option<CardOutcome> {
    if !is_card_number(number) {
        return None;
    }
    let known = TEST_CARDS.iter().find(|card| card.number == number);
    Some(known.map_or(CardOutcome::Success, |card| card.outcome))
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
        assert_eq!(outcome("378282246310005"), Some(CardOutcome::Success));
    }
}
