//! The options of a flow as JSON text: what JavaScript passes on.

use super::PushToCard;
use super::state::copy;
use crate::api::json::{Codec, Field, JsonRef, Mode, Shape, write_object};
use crate::api::{
    Code, CurrencyCode, Error, MinorUnits, PartyType, PaymentId, QuoteBy, RecipientId, TransferMethod,
    check_input,
};
use crate::client::{Client, Platform};

const OPTIONS: Shape = Shape::Record(&[
    Field { name: "corridor", shape: &Shape::Any, required: true },
    Field { name: "srcCurrencyIso3Code", shape: CurrencyCode::SHAPE, required: false },
    Field { name: "dstCurrencyIso3Code", shape: CurrencyCode::SHAPE, required: false },
    Field { name: "amount", shape: MinorUnits::SHAPE, required: true },
    Field { name: "quoteBy", shape: QuoteBy::SHAPE, required: true },
    Field { name: "recipientId", shape: RecipientId::SHAPE, required: true },
    Field { name: "recipientType", shape: PartyType::SHAPE, required: true },
    Field { name: "paymentId", shape: PaymentId::SHAPE, required: false },
]);

impl<P: Platform> Client<P> {
    /// [Begins](Client::push_to_card) a transfer to a card on a corridor.
    #[doc(hidden)]
    pub fn push_to_card_json(&self, options: &str) -> Result<PushToCard<P>, Error> {
        let options = check_input(Mode::Request, "options", options, &OPTIONS)?;
        Ok(PushToCard::new(self.clone(), given(JsonRef::new(&options))?))
    }
}

/// Returns what the flow keeps of the options.
fn given(options: JsonRef<'_>) -> Result<String, Error> {
    let corridor = options.member("corridor").unwrap_or(options);
    let method = TransferMethod::PushToCard;
    let country = corridor.member("destinationCountry").and_then(|country| country.text_of("iso3Code"));
    let country = country.ok_or_else(not_listed)?;
    let destination = chosen(options, "dstCurrencyIso3Code", corridor, "destinationCurrency")?;
    let source = chosen(options, "srcCurrencyIso3Code", corridor, "sourceCurrency")?;
    if corridor.text_of("transferMethod").is_none_or(|given| given != method.as_str()) {
        let expected = "one whose transferMethod is PUSH_TO_CARD";
        return Err(Error::invalid(Code::InvalidRequest, "corridor", expected));
    }
    Ok(write_object(|out| {
        out.text_member("transferMethod", method.as_str());
        out.text_member("dstCountryIso3Code", &country);
        out.text_member("srcCurrencyIso3Code", &source);
        out.text_member("dstCurrencyIso3Code", &destination);
        copy(options, &["quoteBy", "amount", "recipientId", "recipientType", "paymentId"], out);
    }))
}

/// Returns the currency of this option, of those that a corridor offers, or the only one.
fn chosen(options: JsonRef<'_>, option: &str, corridor: JsonRef<'_>, offered: &str) -> Result<String, Error> {
    let codes = corridor.items_of(offered).filter_map(|currency| currency.text_of("iso3Code"));
    let codes: Vec<_> = codes.collect();
    match (options.text_of(option), &*codes) {
        (_, []) => Err(not_listed()),
        (None, [only]) => Ok(only.to_string()),
        (Some(wanted), _) if codes.contains(&wanted) => Ok(wanted.into_owned()),
        _ => {
            let expected = ["of the corridor's currencies: ", &codes.join(", ")].concat();
            Err(Error::invalid(Code::InvalidRequest, option, &expected))
        }
    }
}

fn not_listed() -> Error {
    Error::invalid(Code::InvalidRequest, "corridor", "an element of what corridors() gives")
}
