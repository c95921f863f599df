//! A quote as it stands on the wire.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use super::Quote;
use crate::clock::iso;
use crate::corridor::TransferMethod;
use crate::price::Adjustments;

impl Quote {
    /// The quote as it stands on the wire. The spelling of some names is the service's own.
    pub(crate) fn reply(&self, spanish: bool) -> Value {
        let (route, price) = (self.route, self.price);
        let amount = |value: i64| json!({ "value": value, "currency": self.source });
        let Adjustments { fee, tax, discount } = price.adjustments;
        let adjustments = [
            ("TransferFee", "Transfer fee", "Comisión de envío", Some(fee)),
            ("Tax", "Tax", "Impuesto", Some(tax).filter(|tax| *tax != 0)),
            ("Discount", "Discount", "Descuento", Some(-discount).filter(|discount| *discount != 0)),
        ];
        let adjustments = adjustments.into_iter().filter_map(|(id, english, other, value)| {
            let label = if spanish { other } else { english };
            value.map(|value| json!({ "id": id, "label": label, "amount": amount(value) }))
        });
        let mut reply = json!({
            "customerId": self.client,
            "senderId": self.sender,
            "sendAmount": amount(price.send),
            "receiveAmount": { "value": price.receive, "currency": route.destination },
            // Six places at most: a double shows them as they are.
            "rate": price.rate_micros as f64 / 1e6,
            "adjustments": adjustments.collect::<Value>(),
            "totalCost": amount(price.total),
            "destinationCountryISO3Code": route.country().iso3_code,
            "destinationCurrencyISO3Code": route.destination.iso3_code,
            "sourceCurrencyIso3Code": self.source.iso3_code,
            "destinationCountry": route.country(),
            "transferMethod": route.method(),
            "disclosures": [],
            "deliverySLA": delivery(route.method(), spanish),
            "quoteHistoryId": self.id,
            // Until when the price is held. Not in the interface: a reader may ignore it.
            "expirationDate": iso(self.expires_at),
        });
        if let (None, Some(reply)) = (self.sender, reply.as_object_mut()) {
            reply.shift_remove("senderId");
        }
        reply
    }
}

fn delivery(method: TransferMethod, spanish: bool) -> Value {
    let (id, english, other) = match method {
        TransferMethod::BankAccount => ("ONE_BUSINESS_DAY", "one business day", "un día hábil"),
        TransferMethod::PushToCard => ("THIRTY_MINUTES", "thirty minutes", "treinta minutos"),
        TransferMethod::CashPickup => ("ONE_HOUR", "one hour", "una hora"),
        TransferMethod::MobileWallet => ("FIFTEEN_MINUTES", "fifteen minutes", "quince minutos"),
        TransferMethod::AccountFunding => ("IMMEDIATE", "at once", "de inmediato"),
    };
    json!({ "id": id, "name": if spanish { other } else { english } })
}

/// Whether the caller prefers Spanish.
pub(crate) fn wants_spanish(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(',').next())
        .and_then(|first| first.trim().get(..2))
        .is_some_and(|language| language.eq_ignore_ascii_case("es"))
}
