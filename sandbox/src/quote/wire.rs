//! A quote as it is on the wire.

use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use super::Quote;
use crate::clock::iso;
use crate::corridor::TransferMethod;
use crate::price::Adjustments;

impl Quote {
    pub(crate) fn to_wire(&self, spanish: bool) -> Value {
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
        let mut quote = json!({
            "customerId": self.client,
            "senderId": self.sender,
            "sendAmount": amount(price.send),
            "receiveAmount": { "value": price.receive, "currency": route.destination },
            // At most six decimal places, which a double holds exactly enough to print them back.
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
            "expirationDate": iso(self.expires_at),
        });
        if let (None, Some(quote)) = (self.sender, quote.as_object_mut()) {
            quote.shift_remove("senderId");
        }
        quote
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

/// Whether the first language of `Accept-Language` is Spanish.
pub(crate) fn wants_spanish(headers: &HeaderMap) -> bool {
    let languages = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let first = languages.and_then(|languages| languages.trim().get(..2));
    first.is_some_and(|language| language.eq_ignore_ascii_case("es"))
}
