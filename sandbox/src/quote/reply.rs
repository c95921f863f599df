//! A quote as it stands on the wire.

use axum::http::{HeaderMap, header};
use serde::Serialize;
use uuid::Uuid;

use super::Quote;
use crate::clock::iso;
use crate::corridor::TransferMethod;
use crate::country::Country;
use crate::currency::Amount;
use crate::price::Adjustments;

impl Quote {
    /// The quote as it stands on the wire.
    pub(crate) fn reply(&self, spanish: bool) -> QuoteReply<'_> {
        let amount = |value| Amount::new(value, self.source);
        let Adjustments { fee, tax, discount } = self.price.adjustments;
        let label = |english, other| if spanish { other } else { english };
        let mut adjustments = vec![AdjustmentReply {
            id: "TransferFee",
            label: label("Transfer fee", "Comisión de envío"),
            amount: amount(fee),
        }];
        if tax != 0 {
            adjustments.push(AdjustmentReply {
                id: "Tax",
                label: label("Tax", "Impuesto"),
                amount: amount(tax),
            });
        }
        if discount != 0 {
            adjustments.push(AdjustmentReply {
                id: "Discount",
                label: label("Discount", "Descuento"),
                amount: amount(-discount),
            });
        }
        QuoteReply {
            customer_id: &self.client,
            sender_id: self.sender.as_deref(),
            send_amount: amount(self.price.send),
            receive_amount: Amount::new(self.price.receive, self.route.destination),
            // Six places at most: a double shows them as they are.
            rate: self.price.rate_micros as f64 / 1e6,
            adjustments,
            total_cost: amount(self.price.total),
            destination_country_iso3: self.route.corridor.country.iso3_code,
            destination_currency_iso3: self.route.destination.iso3_code,
            source_currency_iso3: self.source.iso3_code,
            destination_country: self.route.corridor.country,
            transfer_method: self.route.corridor.method,
            disclosures: [],
            delivery_sla: delivery(self.route.corridor.method, spanish),
            quote_history_id: self.id,
            expiration_date: iso(self.expires_at),
        }
    }
}

/// The reply. The spelling of some names is the service's own.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuoteReply<'a> {
    customer_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender_id: Option<&'a str>,
    send_amount: Amount,
    receive_amount: Amount,
    rate: f64,
    adjustments: Vec<AdjustmentReply>,
    total_cost: Amount,
    #[serde(rename = "destinationCountryISO3Code")]
    destination_country_iso3: &'a str,
    #[serde(rename = "destinationCurrencyISO3Code")]
    destination_currency_iso3: &'a str,
    #[serde(rename = "sourceCurrencyIso3Code")]
    source_currency_iso3: &'a str,
    destination_country: &'a Country,
    transfer_method: TransferMethod,
    disclosures: [&'a str; 0],
    #[serde(rename = "deliverySLA")]
    delivery_sla: Delivery,
    quote_history_id: Uuid,
    /// Until when the price is held. Not in the interface: a reader may ignore it.
    expiration_date: String,
}

#[derive(Serialize)]
struct AdjustmentReply {
    id: &'static str,
    label: &'static str,
    amount: Amount,
}

#[derive(Serialize)]
struct Delivery {
    id: &'static str,
    name: &'static str,
}

fn delivery(method: TransferMethod, spanish: bool) -> Delivery {
    let (id, english, other) = match method {
        TransferMethod::BankAccount => ("ONE_BUSINESS_DAY", "one business day", "un día hábil"),
        TransferMethod::PushToCard => ("THIRTY_MINUTES", "thirty minutes", "treinta minutos"),
        TransferMethod::CashPickup => ("ONE_HOUR", "one hour", "una hora"),
        TransferMethod::MobileWallet => ("FIFTEEN_MINUTES", "fifteen minutes", "quince minutos"),
        TransferMethod::AccountFunding => ("IMMEDIATE", "at once", "de inmediato"),
    };
    Delivery { id, name: if spanish { other } else { english } }
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
