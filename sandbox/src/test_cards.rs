//! The test cards: one table of numbers and what happens to them in the card form.

use serde::Serialize;

use crate::error::ErrorCode;

/// What becomes of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "result", rename_all = "camelCase")]
pub enum CardOutcome {
    /// It is verified.
    Success,
    /// It is verified, and takes money in one currency only.
    SuccessInCurrency {
        /// ISO 4217.
        currency: &'static str,
    },
    /// It is verified, and blocked by the time that a transfer uses it.
    SuccessThenBlocked,
    /// It is verified, and can be paid to, but not pay: it was issued outside the United States.
    SuccessIssuedAbroad,
    /// It is refused.
    Fail {
        /// The code that says why.
        code: ErrorCode,
    },
    /// The session expires while the card is verified.
    Expired,
}

/// A number to type into the card form.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TestCard {
    /// What the constants of `remitkit/testing` call it.
    pub name: &'static str,
    /// The card's number, without spaces.
    pub number: &'static str,
    /// What it shows.
    pub description: &'static str,
    /// What becomes of it.
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

/// All test cards. Any other number with a right check digit is verified.
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

/// What becomes of a number, or `None` if it is no card number.
pub(crate) fn outcome(number: &str) -> Option<CardOutcome> {
    if !is_card_number(number) {
        return None;
    }
    let known = TEST_CARDS.iter().find(|card| card.number == number);
    Some(known.map_or(CardOutcome::Success, |card| card.outcome))
}

/// 13 to 19 digits of which the last one checks the others (Luhn).
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

/// The network that a number belongs to.
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
    fn the_test_cards_are_numbers_that_a_form_accepts() {
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

    #[test]
    fn brands() {
        assert_eq!(brand("4111111111111111"), "VISA");
        assert_eq!(brand("5555555555554444"), "MASTERCARD");
        assert_eq!(brand("2223003122003222"), "MASTERCARD");
        assert_eq!(brand("378282246310005"), "AMEX");
        assert_eq!(brand("é"), "OTHER");
    }
}
