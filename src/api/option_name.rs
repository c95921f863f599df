//! The names of options and arguments in errors. A build with the feature `js` is one for JavaScript.

macro_rules! names {
    ($( $NAME:ident $rust:literal $javascript:literal; )*) => {
        $( pub(crate) const $NAME: &str = if cfg!(feature = "js") { $javascript } else { $rust }; )*
    };
}

names! {
    BASE_URL "base_url" "baseUrl";
    CARD_URL "card_url" "cardUrl";
    DECIMAL_PLACES "decimal_places" "decimalPlaces";
    FIELD_ID "field_id" "fieldId";
    PAYMENT_ID "payment_id" "paymentId";
    QUOTE_HISTORY_ID "quote_history_id" "quoteHistoryId";
    SENDER_ID "sender_id" "senderId";
    SESSION_ID "session_id" "sessionId";
}
