//! The Push-to-Card flow (interface, part 4): which call is next, what is kept between calls, and where an
//! error leads back to.

mod options;
mod state;

use std::rc::Rc;

pub(crate) use self::state::Stage;
use self::state::{PRICE, State, copy, no_corridor};
use super::fetched_form::failure_of;
use super::pending_call::CallSignal;
use super::{Client, FetchedForm, Platform, Reply, TransferAttempt};
use crate::api::json::{Codec, JsonRef, write_object};
use crate::api::opaque::opaque_debug;
use crate::api::{
    CARD_ID, CORRIDORS, CREATE_RECIPIENT_ACCOUNT, Code, Corridor, Error, FieldForm, FieldSets, FieldValue,
    PartyType, PaymentId, QUOTE, Quote, QuoteRequest, RECIPIENT_ACCOUNT_FIELDS, RecipientAccount,
    RecipientId, TransferRequest,
};

/// The steps from a price to a transfer to the recipient's card. Created by [`Client::push_to_card`].
///
/// [`next_step`](Self::next_step) takes one step. Some steps ask for something; until they are answered they
/// are taken again. A failed step does not end the flow: the next call takes it again, or an earlier one if
/// that is what helps.
///
/// - After an error of kind `card` the flow asks for another card.
/// - After an error of kind `field` for the account, it fetches the required fields and asks for them again.
/// - If a quote is no longer valid, it fetches a new one, and asks for the details again.
/// - If it is unknown whether the account was created, because its creation had no answer or its future was
///   dropped, it does as [`Client::recover_card_account`].
///
/// ```
/// # use remitkit::{api::*, client::{Client, Platform, PushToCardStep, TransferAttempt}};
/// # async fn run<P: Platform>(
/// #     client: &Client<P>, route: &QuoteRequest, recipient_id: &RecipientId,
/// #     card_of_form: impl AsyncFn() -> String,
/// # ) -> Result<TransferAttempt<P>, Error> {
/// let mut flow = client.push_to_card(route, recipient_id);
/// loop {
///     match flow.next_step().await? {
///         PushToCardStep::AccountFields(_) => flow.set_account_fields(&[])?,
///         PushToCardStep::Card => flow.set_card(&card_of_form().await),
///         PushToCardStep::Details(request) => flow.set_details(&request),
///         PushToCardStep::Transfer(attempt) => break Ok(attempt),
///         _ => {}
///     }
/// }
/// # }
/// ```
pub struct PushToCard<P: Platform> {
    client: Client<P>,
    signal: CallSignal<P>,
    form: Option<AccountForm>,
    state: State,
}

/// The rules of the account's fields, and the reply that they were made from.
type AccountForm = Rc<(FieldForm, Reply)>;

opaque_debug!([P: Platform] PushToCard<P>);

/// A step of [`PushToCard`]: what was done, or what the flow asks for.
#[derive(Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "a flow has few steps, and a boxed quote would be in the way")]
pub enum PushToCardStep<P: Platform> {
    /// The corridor is enabled.
    Corridor(Corridor),
    /// Asks for the account's fields but for the card: [`PushToCard::set_account_fields`].
    AccountFields(FetchedForm<P>),
    /// Asks for the card, which the customer enters in the card form: [`PushToCard::set_card`].
    Card,
    /// The recipient has an account with the card: the card form can go.
    RecipientAccount(RecipientAccount),
    /// A new price, for this account.
    Quote(Quote),
    /// Asks for the rest of the transfer, such as its dynamic fields: [`PushToCard::set_details`].
    Details(TransferRequest),
    /// The transfer is prepared, and the flow is over, unless [`PushToCard::renew_quote`] goes back. Nothing
    /// that moves money was sent: submit the attempt, again if its outcome is unknown.
    Transfer(TransferAttempt<P>),
}

/// A step with the service's replies as they are.
pub(crate) enum RawStep<P: Platform> {
    /// After the stages with one reply.
    Replied(Stage, Reply),
    AccountFields(AccountForm),
    Card,
    Details,
    Transfer(TransferAttempt<P>),
}

impl<P: Platform> Client<P> {
    /// Begins a transfer to a card of the recipient, which the customer enters on the way. Sends nothing
    /// before its first [step](PushToCard::next_step).
    #[must_use]
    pub fn push_to_card(&self, route: &QuoteRequest, recipient_id: &RecipientId) -> PushToCard<P> {
        let price = route.to_json();
        PushToCard::new(
            self.clone(),
            write_object(|out| {
                copy(JsonRef::new(&price), PRICE, out);
                out.text_member("recipientId", recipient_id.as_str());
                out.text_member("recipientType", PartyType::Person.as_str());
            }),
        )
    }
}

impl<P: Platform> PushToCard<P> {
    fn new(client: Client<P>, given: String) -> Self {
        PushToCard { client, signal: CallSignal::<P>::default(), form: None, state: State::new(given) }
    }

    /// Sets what the recipient is; a person by default.
    #[must_use]
    pub fn with_recipient_type(self, recipient_type: &PartyType) -> Self {
        self.with("recipientType", recipient_type.as_str())
    }

    /// Sets what the page calls the payment, as in [`TransferRequest`].
    #[must_use]
    pub fn with_payment_id(self, payment_id: &PaymentId) -> Self {
        self.with("paymentId", payment_id.as_str())
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.state.given = write_object(|out| {
            for (known, value) in JsonRef::new(&self.state.given).members().filter(|(known, _)| known != name)
            {
                out.raw_member(&known, value.raw());
            }
            out.text_member(name, value);
        });
        self
    }

    /// Sets the signal that aborts the calls of all steps.
    #[must_use]
    pub fn with_signal(self, signal: impl Into<P::Signal>) -> Self {
        self.signal.replace(signal.into());
        self
    }

    /// Takes the next step.
    ///
    /// # Errors
    /// `NoCorridorFoundForSpecificValues` if the corridor is not enabled, or takes no card; `invalid_request`
    /// once the flow is over; those of the step's call.
    pub async fn next_step(&mut self) -> Result<PushToCardStep<P>, Error> {
        Ok(match self.advance().await? {
            RawStep::Replied(Stage::Corridor, reply) => PushToCardStep::Corridor(reply.read()?),
            RawStep::AccountFields(form) => {
                let FieldSets { field_sets } = form.1.read()?;
                let form = FetchedForm::new(self.client.clone(), form.0.clone(), field_sets);
                PushToCardStep::AccountFields(form)
            }
            RawStep::Card => PushToCardStep::Card,
            RawStep::Replied(Stage::Quote, reply) => PushToCardStep::Quote(reply.read()?),
            RawStep::Replied(_, reply) => PushToCardStep::RecipientAccount(reply.read()?),
            RawStep::Details => PushToCardStep::Details(Reply::of(self.state.transfer()).read()?),
            RawStep::Transfer(attempt) => PushToCardStep::Transfer(attempt),
        })
    }

    /// Answers [`PushToCardStep::AccountFields`], usually with what the form's
    /// [`to_fields`](FetchedForm::to_fields) returns. Other fields than before make another account.
    ///
    /// # Errors
    /// `field` with the problems of the fields; `invalid_request` for the field [`CARD_ID`], or before the
    /// step.
    pub fn set_account_fields(&mut self, fields: &[FieldValue]) -> Result<(), Error> {
        self.answer_fields(fields.to_vec().to_json())
    }

    /// Answers [`PushToCardStep::Card`]. Another card than before makes another account.
    pub fn set_card(&mut self, card_id: &str) {
        self.state.set_card(card_id.to_owned());
    }

    /// Answers [`PushToCardStep::Details`]: its request, with more members. Route, amount, quote, recipient,
    /// account and, if the flow has one, payment remain the flow's.
    pub fn set_details(&mut self, request: &TransferRequest) {
        self.state.details = Some(request.to_json());
    }

    /// Has the next step fetch a new quote, as after an attempt that made no transfer. Never after one whose
    /// outcome is unknown: submit that one again.
    pub fn renew_quote(&mut self) {
        self.state.renew_quote();
    }

    #[cfg(feature = "js")]
    pub(crate) fn client(&self) -> &Client<P> {
        &self.client
    }

    /// Answers the question of the last step: a list of fields, the id of a card, or an object with members of
    /// the transfer.
    #[cfg(feature = "js")]
    pub(crate) fn answer(&mut self, text: String) -> Result<(), Error> {
        match self.state.stage() {
            Stage::AccountFields => self.answer_fields(text)?,
            Stage::Card => self.state.set_card(text),
            _ if text.starts_with('{') => self.state.details = Some(text),
            _ => return Err(Error::invalid(Code::InvalidRequest, "transfer", "an object")),
        }
        Ok(())
    }

    fn answer_fields(&mut self, fields: String) -> Result<(), Error> {
        let invalid = |expected| Err(Error::invalid(Code::InvalidRequest, "fields", expected));
        let Some(form) = &self.form else { return invalid("those of a form that was fetched") };
        let list = JsonRef::new(&fields);
        let mut is_list = list.raw().starts_with('[');
        for field in list.items() {
            match field.text_of("id") {
                Some(id) if id == CARD_ID => return invalid("without CARD_ID, which the card form brings"),
                id => is_list &= id.is_some(),
            }
        }
        if !is_list {
            return invalid("a list of { id, value }");
        }
        let core = self.client.core();
        let matches = |pattern: &str, text: &str| core.platform.matches(pattern, text);
        let mut problems = form.0.check_fields(list, false, &core.today(), &matches);
        problems.retain(|problem| problem.field_id != CARD_ID);
        failure_of(core, problems, Some(&form.1))?;
        self.state.set_fields(fields);
        Ok(())
    }

    pub(crate) async fn advance(&mut self) -> Result<RawStep<P>, Error> {
        let stage = self.state.stage();
        let taken = self.take(stage).await;
        if let Err(error) = &taken {
            self.state.go_back(stage, error);
        }
        taken
    }

    async fn take(&mut self, stage: Stage) -> Result<RawStep<P>, Error> {
        let context = self.client.context(Rc::clone(&self.signal));
        let request = self.state.request(stage);
        if stage == Stage::Account {
            // Until there is an answer, which a caller that drops the future never sees.
            self.state.is_account_unknown = true;
        }
        let recipient_id = JsonRef::new(&self.state.given).text_of("recipientId").unwrap_or_default();
        let reply = match stage {
            Stage::Over => {
                let expected = "preceded by renew_quote: the transfer is prepared";
                return Err(Error::invalid(Code::InvalidRequest, "step", expected));
            }
            Stage::Card => return Ok(RawStep::Card),
            Stage::Details => return Ok(RawStep::Details),
            Stage::AccountFields => {
                let form = Rc::new(context.field_form(&RECIPIENT_ACCOUNT_FIELDS, &request).await?);
                if !form.0.requires_card() {
                    return Err(no_corridor().with_option(CARD_ID));
                }
                self.form = Some(Rc::clone(&form));
                return Ok(RawStep::AccountFields(form));
            }
            Stage::LostAccount => context.recover_card_account(&recipient_id, &request).await?,
            Stage::Transfer => {
                self.state.details = None;
                let entry = context.prepare_in_time(&request).await?;
                self.state.is_over = true;
                return Ok(RawStep::Transfer(TransferAttempt { client: self.client.clone(), entry }));
            }
            Stage::Corridor | Stage::Quote | Stage::Account => {
                let (operation, ids, input): (_, &[&str], _) = match stage {
                    Stage::Corridor => (&CORRIDORS, &[], None),
                    Stage::Quote => (&QUOTE, &[], Some(&*request)),
                    _ => (&CREATE_RECIPIENT_ACCOUNT, &[&*recipient_id], Some(&*request)),
                };
                context.call(operation, ids, input).await?
            }
        };
        Ok(RawStep::Replied(stage, self.state.keep(stage, reply)?))
    }
}
