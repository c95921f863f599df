//! What a flow keeps between its steps: which step is next, what it sends, and what an error leaves of it.

use crate::api::json::{JsonRef, Writer, write_object};
use crate::api::{CARD_ID, Code, CorridorFilter, Error, Kind, Resolution};
use crate::client::Reply;

/// The members of [`State::given`] that say where the money goes.
const DESTINATION: &[&str] = &["dstCountryIso3Code", "dstCurrencyIso3Code", "transferMethod"];
/// Those that a quote takes.
pub(super) const PRICE: &[&str] = &[
    "dstCountryIso3Code",
    "dstCurrencyIso3Code",
    "transferMethod",
    "srcCurrencyIso3Code",
    "quoteBy",
    "amount",
];

/// What is next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Corridor,
    AccountFields,
    Card,
    Account,
    /// As `Account`, after a creation whose outcome is unknown.
    LostAccount,
    Quote,
    Details,
    Transfer,
    /// A prepared transfer was handed out: another may be a second payment.
    Over,
}

pub(super) struct State {
    /// Route, amount, recipient and payment, by their names in requests, as JSON text.
    pub(super) given: String,
    has_corridor: bool,
    /// The account's fields but for the card, as JSON text.
    fields: Option<String>,
    card_id: Option<String>,
    /// Whether a creation of it may have been lost.
    pub(super) is_account_unknown: bool,
    account_id: Option<String>,
    quote_id: Option<String>,
    /// For one preparation, as JSON text.
    pub(super) details: Option<String>,
    pub(super) is_over: bool,
}

impl State {
    pub(super) fn new(given: String) -> Self {
        State {
            given,
            has_corridor: false,
            fields: None,
            card_id: None,
            is_account_unknown: false,
            account_id: None,
            quote_id: None,
            details: None,
            is_over: false,
        }
    }

    pub(super) fn set_fields(&mut self, fields: String) {
        if self.fields.as_ref() != Some(&fields) {
            self.forget_account();
        }
        self.fields = Some(fields);
    }

    pub(super) fn set_card(&mut self, card_id: String) {
        if self.card_id.as_ref() != Some(&card_id) {
            self.forget_account();
        }
        self.card_id = Some(card_id);
    }

    pub(super) fn renew_quote(&mut self) {
        self.quote_id = None;
        self.is_over = false;
    }

    fn forget_account(&mut self) {
        self.account_id = None;
        self.quote_id = None;
    }

    /// Returns the next stage.
    pub(super) fn stage(&self) -> Stage {
        match self {
            _ if self.is_over => Stage::Over,
            _ if !self.has_corridor => Stage::Corridor,
            _ if self.fields.is_none() => Stage::AccountFields,
            _ if self.card_id.is_none() => Stage::Card,
            _ if self.account_id.is_some() => match (&self.quote_id, &self.details) {
                (None, _) => Stage::Quote,
                (_, None) => Stage::Details,
                _ => Stage::Transfer,
            },
            _ if self.is_account_unknown => Stage::LostAccount,
            _ => Stage::Account,
        }
    }

    /// Returns what is sent at a stage, as JSON text.
    pub(super) fn request(&self, stage: Stage) -> String {
        let given = JsonRef::new(&self.given);
        write_object(|out| match stage {
            Stage::Corridor | Stage::Card | Stage::Details | Stage::Over => {}
            Stage::AccountFields => {
                copy(given, DESTINATION, out);
                copy(given, &["recipientType"], out);
            }
            Stage::Account | Stage::LostAccount => {
                copy(given, DESTINATION, out);
                out.raw_member("fields", &self.fields_with_card());
            }
            Stage::Quote => self.write_price(out),
            Stage::Transfer => {
                let own = self.transfer();
                let own = JsonRef::new(&own);
                for (name, value) in own.members() {
                    out.raw_member(&name, value.raw());
                }
                for (name, value) in JsonRef::new(self.details.as_deref().unwrap_or_default()).members() {
                    if own.member(&name).is_none() {
                        out.raw_member(&name, value.raw());
                    }
                }
            }
        })
    }

    fn fields_with_card(&self) -> String {
        let card = write_object(|out| {
            out.text_member("id", CARD_ID);
            out.text_member("value", self.card_id.as_deref().unwrap_or_default());
        });
        let fields = JsonRef::new(self.fields.as_deref().unwrap_or("[]"));
        let comma = if fields.items().next().is_some() { "," } else { "" };
        [fields.raw().strip_suffix(']').unwrap_or("["), comma, &card, "]"].concat()
    }

    fn write_price(&self, out: &mut Writer) {
        copy(JsonRef::new(&self.given), PRICE, out);
        out.text_member("recipientAccountId", self.account_id.as_deref().unwrap_or_default());
    }

    /// Returns the members of the transfer that the flow sets itself.
    pub(super) fn transfer(&self) -> String {
        write_object(|out| {
            self.write_price(out);
            copy(JsonRef::new(&self.given), &["recipientId", "paymentId"], out);
            out.text_member("quoteHistoryId", self.quote_id.as_deref().unwrap_or_default());
        })
    }

    /// Keeps what later steps need of a reply, and returns what the step is about.
    pub(super) fn keep(&mut self, stage: Stage, mut reply: Reply) -> Result<Reply, Error> {
        let id = |name| {
            let id = reply.view().member(name).and_then(JsonRef::owned_string_or_number);
            id.map(Some).ok_or_else(|| Error::new(Code::UnreadableReply))
        };
        match stage {
            Stage::Corridor => {
                let given = JsonRef::new(&self.given);
                let found =
                    reply.view().items().find(|corridor| CorridorFilter::keeps_json(given, *corridor));
                let found = found.ok_or_else(no_corridor)?.raw().to_owned();
                reply = Reply::with_bigints(found, reply.has_bigints());
                self.has_corridor = true;
            }
            Stage::Quote => {
                self.quote_id = id("quoteHistoryId")?;
                self.details = None;
            }
            _ => {
                self.account_id = id("recipientAccountId")?;
                self.is_account_unknown = false;
            }
        }
        Ok(reply)
    }

    /// Forgets what an error has shown to be of no use.
    pub(super) fn go_back(&mut self, stage: Stage, error: &Error) {
        if stage == Stage::Account {
            self.is_account_unknown = error.kind() == Kind::OutcomeUnknown;
        }
        let is_of_account = matches!(stage, Stage::Account | Stage::LostAccount);
        match error.kind() {
            Kind::Card => {
                self.card_id = None;
                self.is_account_unknown = false;
                self.forget_account();
            }
            Kind::Field if is_of_account => self.fields = None,
            _ if stage == Stage::Transfer && error.resolution() == Some(Resolution::FetchNewQuote) => {
                self.quote_id = None;
            }
            _ => {}
        }
    }
}

/// Copies these members of an object, where it has them.
pub(super) fn copy(object: JsonRef<'_>, names: &[&str], out: &mut Writer) {
    for (name, value) in object.members().filter(|(name, _)| names.contains(&&**name)) {
        out.raw_member(&name, value.raw());
    }
}

pub(super) fn no_corridor() -> Error {
    Error::new(Code::NoCorridorFoundForSpecificValues)
}
