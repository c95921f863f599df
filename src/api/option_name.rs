/// The name of an option or argument, which Rust and JavaScript write differently. What the service names has
/// one name.
pub(crate) struct OptionName {
    pub(crate) rust: &'static str,
    pub(crate) javascript: &'static str,
}

macro_rules! names {
    ($( $NAME:ident $rust:literal $javascript:literal; )*) => {
        $( pub(crate) static $NAME: OptionName = OptionName { rust: $rust, javascript: $javascript }; )*
    };
}

names! {
    BASE_URL "base_url" "baseUrl";
    CARD_URL "card_url" "cardUrl";
    FIELD_ID "field_id" "fieldId";
    PAYMENT_ID "payment_id" "paymentId";
    QUOTE_HISTORY_ID "quote_history_id" "quoteHistoryId";
    SENDER_ID "sender_id" "senderId";
    SESSION_ID "session_id" "sessionId";
}
