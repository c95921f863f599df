#[cfg(feature = "uuid")]
use super::Error;
use super::record::ruled_text;

ruled_text! {
    /// A UUID, the form of every identifier of the interface (part 2: Identifiers). Each kind of record has a
    /// type for its own ids, so that none is passed for another.
    Uuid, is_uuid, "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301", BadRequestError
}

/// Declares the ids of a kind of record. An id that the service sent is kept even if it is no UUID, and is
/// refused only in a request.
macro_rules! id {
    ($(#[$meta:meta])* $Name:ident) => {
        id! { $(#[$meta])* $Name, "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301", BadRequestError }
    };
    ($(#[$meta:meta])* $Name:ident, $expected:literal, $code:ident) => {
        ruled_text! { $(#[$meta])* $Name, is_uuid, $expected, $code }

        impl From<Uuid> for $Name {
            fn from(id: Uuid) -> Self {
                Self(id.0)
            }
        }

        #[cfg(feature = "uuid")]
        impl From<uuid::Uuid> for $Name {
            fn from(id: uuid::Uuid) -> Self {
                Self(id.to_string())
            }
        }

        #[cfg(feature = "uuid")]
        impl TryFrom<&$Name> for uuid::Uuid {
            type Error = Error;

            /// Fails for an id of the service that is no UUID.
            fn try_from(id: &$Name) -> Result<Self, Error> {
                uuid::Uuid::try_parse(&id.0)
                    .map_err(|_| Error::invalid(crate::api::Code::$code, stringify!($Name), $expected))
            }
        }
    };
}

id! {
    /// The id of a quote, which identifies the transfer attempt too.
    QuoteId
}
id! {
    /// The id of a transfer. The service may send it as a number.
    TransferId
}
id! {
    /// The id of the service's record of a request for a transfer.
    TransferRequestId
}
id! {
    /// The id of a sender.
    SenderId
}
id! {
    /// The id of a card onboarding session.
    SessionId
}
id! {
    /// A value that one transfer per customer can use, which makes the transfer unrepeatable.
    Nonce
}
id! {
    /// The id of a recipient.
    RecipientId, "a UUID, as the service returned it", InvalidRecipientId
}
id! {
    /// The id of a recipient's account.
    RecipientAccountId, "a UUID, as the service returned it", InvalidRecipientAccountId
}
ruled_text! {
    /// What the page calls a payment, such as the number of its order. RemitKit keeps it on the device and
    /// never sends it.
    PaymentId, is_payment_id, "a text of 1 to 255 characters", InvalidRequest
}
ruled_text! {
    /// The id of a sender group; empty for the default group (interface, part 4: Senders).
    SenderGroupId, is_uuid_or_empty, "a UUID such as 3f2504e0-4f89-41d3-9a0c-0305e82c3301", BadRequestError
}

/// Returns whether the text has the form 8-4-4-4-12 of hexadecimal digits.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, byte)| match i {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_payment_id(text: &str) -> bool {
    !text.is_empty() && text.chars().nth(255).is_none()
}

fn is_uuid_or_empty(text: &str) -> bool {
    text.is_empty() || is_uuid(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

    #[test]
    fn only_the_canonical_form_is_a_uuid() {
        assert!(is_uuid("3F2504e0-4f89-41d3-9a0c-0305e82c3301"));
        for text in [
            "",
            "3f2504e04f8941d39a0c0305e82c3301",
            "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}",
            "3f2504e0-4f89-41d3-9a0c-0305e82c330g",
            "3f2504e0-4f89-41d3-9a0c-0305e82c3301/..",
            "é2504e0-4f89-41d3-9a0c-0305e82c330",
        ] {
            assert!(!is_uuid(text), "{text}");
        }
        let ids = [RecipientId::try_from(ID), ID.parse()].map(Result::unwrap);
        assert!(ids[0] <= ids[1] && ids[0].as_ref() == ID);
        assert_eq!(RecipientId::new("7").unwrap_err().code(), crate::api::Code::InvalidRecipientId);
    }
}
