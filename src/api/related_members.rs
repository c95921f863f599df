//! Members of related records, which an operation's input may contain but which are not sent: a caller may
//! pass a transfer's quote or recipient where only a few of its members are needed.

/// All members of the records that the test lists, and four that only the service's own records have.
/// Deriving them from the shapes would put the shapes of all records into the module's first file.
const MEMBERS: &str = "\
    destinationCountry sourceCurrency destinationCurrency transferMethod quoteBy dstCountryIso3Code \
    srcCurrencyIso3Code dstCurrencyIso3Code amount recipientAccountId sendAmount quoteHistoryId \
    receiveAmount rate adjustments totalCost deliverySLA disclosures senderId customerId expirationDate \
    senderType fields senderGroupId firstName lastName companyName kycStatus createdAt isDeactivated \
    userType recipientId recipientType accountNumber customerHold nonce paymentId purposeOfRemittance sourceOfFunds \
    sourceTransferMethod sourceAccountId transferId confirmationNumber status quote senderDetails \
    recipientDetails recipientAccountDetails disclaimers dateAvailable customer destinationCountryISO3Code \
    destinationCurrencyISO3Code sourceCurrencyIso3Code transferRequestId";

/// Returns whether a related record has this member, at depth 1, or a dynamic field of such a record.
pub(super) fn is_related_member(name: &str, depth: usize) -> bool {
    match depth {
        1 => MEMBERS.as_bytes().split(|byte| *byte == b' ').any(|member| member == name.as_bytes()),
        _ => ["id", "name", "type", "value"].contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::json::{Codec, Shape};
    use crate::api::*;

    fn names(record: &Shape) -> Vec<&'static str> {
        let Shape::Record(fields) = record else { panic!("{record:?}") };
        fields.iter().map(|field| field.name).collect()
    }

    #[test]
    fn the_list_has_the_members_of_all_related_records() {
        let made_from_quotes = [Corridor::SHAPE, QuoteRequest::SHAPE, Quote::SHAPE, TransferRequest::SHAPE];
        let parties = [SenderRequest::SHAPE, Sender::SHAPE, RecipientRequest::SHAPE, Recipient::SHAPE];
        let others = [RecipientAccount::SHAPE, CorridorFieldsQuery::SHAPE, Transfer::SHAPE];
        for name in [&made_from_quotes[..], &parties, &others].concat().into_iter().flat_map(names) {
            assert!(is_related_member(name, 1), "{name}");
        }
        assert!(names(RecordField::SHAPE).into_iter().all(|name| is_related_member(name, 2)));
        assert!(!is_related_member("feilds", 1) && !is_related_member("fields", 2));
    }
}
