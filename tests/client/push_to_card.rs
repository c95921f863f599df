//! The Push-to-Card flow: its steps against the sandbox, and where errors lead it back to.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use remitkit::api::*;
use remitkit::client::{Client, PushToCard, PushToCardStep, SendFailure, SendResult, TransferAttempt};
use remitkit::testing::{ScriptedPlatform, refusal, reply};

use crate::direct;
use crate::script::{ID, Script, ScriptedClient, error};

const CARD: &str = "9007199254740993001";
const CORRIDOR: &str = concat!(
    r#"{"destinationCountry":{"name":"Mexico","iso3Code":"MEX","iso2Code":"MX"},"transferMethod":"PUSH_TO_CARD","#,
    r#""sourceCurrency":[{"iso3Code":"USD","decimalPlaces":2}],"#,
    r#""destinationCurrency":[{"iso3Code":"MXN","decimalPlaces":2}]}"#
);
const CARD_FIELD: &str = r#"{"fieldId":"CARD_ID","fieldType":"TEXT","isRequired":true}"#;
const CITY: &str = r#"{"fieldId":"CITY","fieldType":"TEXT","isRequired":true,"name":"City"}"#;
const SENT: &str = r#"{"value":12550,"currency":{"iso3Code":"USD","decimalPlaces":2}}"#;
const QUOTES: [&str; 2] = ["11111111-4f89-41d3-9a0c-0305e82c3301", "22222222-4f89-41d3-9a0c-0305e82c3301"];

const STEPS: [&str; 7] = ["corridor", "fields", "card", "account", "quote", "details", "transfer"];

fn route(method: TransferMethod) -> QuoteRequest {
    let destination = Destination::new("MEX".parse().unwrap(), "MXN".parse().unwrap(), method);
    QuoteRequest::new(destination, "USD".parse().unwrap(), MinorUnits::new(12_550).unwrap())
}

fn form(fields: &[&str]) -> SendResult {
    let fields = fields.join(",");
    reply(200, &format!(r#"{{"fieldSets":[{{"fieldSetId":"a","fields":[{fields}]}}]}}"#))
}

fn account(id: &str) -> SendResult {
    reply(201, &format!(r#"{{"recipientAccountId":"{id}"}}"#))
}

fn quote(number: usize) -> SendResult {
    reply(200, &format!(r#"{{"quoteHistoryId":"{}","sendAmount":{SENT}}}"#, QUOTES[number]))
}

/// Returns a client whose service has these replies before its usual ones.
fn client<'a>(replies: impl IntoIterator<Item = (&'a str, SendResult)>) -> Client<Script> {
    let usual = [
        ("corridors", reply(200, &format!("[{CORRIDOR}]"))),
        ("recipient_account_fields", form(&[CARD_FIELD])),
        ("create_recipient_account", account(ID)),
        ("quote", quote(0)),
        ("quote", quote(1)),
    ];
    ScriptedPlatform::replying(replies.into_iter().chain(usual)).client()
}

fn begin(client: &Client<Script>) -> PushToCard<Script> {
    client.push_to_card(&route(TransferMethod::PushToCard), &ID.parse().unwrap())
}

fn name_of(step: &PushToCardStep<Script>) -> &'static str {
    match step {
        PushToCardStep::Corridor(_) => "corridor",
        PushToCardStep::AccountFields(_) => "fields",
        PushToCardStep::Card => "card",
        PushToCardStep::RecipientAccount(_) => "account",
        PushToCardStep::Quote(_) => "quote",
        PushToCardStep::Details(_) => "details",
        PushToCardStep::Transfer(_) => "transfer",
        other => panic!("{other:?}"),
    }
}

/// Takes a step, and answers what it asks for.
async fn step(flow: &mut PushToCard<Script>) -> Result<&'static str, Error> {
    let step = flow.next_step().await?;
    match &step {
        PushToCardStep::AccountFields(_) => flow.set_account_fields(&[])?,
        PushToCardStep::Card => flow.set_card(CARD),
        PushToCardStep::Details(request) => flow.set_details(request),
        _ => {}
    }
    Ok(name_of(&step))
}

/// Takes the steps up to this one, and returns their names.
async fn up_to(last: &str, flow: &mut PushToCard<Script>) -> Vec<&'static str> {
    let mut names = Vec::new();
    while names.last() != Some(&last) {
        assert!(names.len() < 20, "{last} does not come: {names:?}");
        names.push(step(flow).await.unwrap());
    }
    names
}

#[tokio::test(start_paused = true)]
async fn the_steps_end_in_a_prepared_transfer_that_the_service_accepts() {
    let (script, service) = direct::open();
    let client = script.client();
    let route = route(TransferMethod::PushToCard);
    let query = route.recipient_fields(PartyType::Person);
    let fields = crate::sandbox::fill(&client.recipient_fields(&query).await.unwrap(), "");
    let request = RecipientRequest::new(PartyType::Person).with_fields(fields);
    let request = request.with_destination(route.destination());
    let recipient_id = client.create_recipient(&request).await.unwrap().recipient_id;

    let payment_id: PaymentId = "order 17".parse().unwrap();
    let mut flow = client.push_to_card(&route, &recipient_id).with_payment_id(&payment_id);
    let mut names = Vec::new();
    let attempt: TransferAttempt<_> = loop {
        let step = flow.next_step().await.unwrap();
        names.push(name_of(&step));
        match step {
            PushToCardStep::AccountFields(form) => {
                assert!(form.requires_card());
                flow.set_account_fields(&[]).unwrap();
            }
            PushToCardStep::Card => {
                let session = client.open_card(None).await.unwrap();
                service.enter_card(&session.id).await;
                flow.set_card(&client.read_card(&session.id).await.unwrap());
            }
            PushToCardStep::Details(request) => {
                let form = client.transfer_fields(&route.transfer_fields()).await.unwrap();
                let mut details = request.with_fields(crate::sandbox::fill(&form, ""));
                // The flow's own members stay.
                details.amount = MinorUnits::new(1).unwrap();
                flow.set_details(&details);
            }
            PushToCardStep::Transfer(attempt) => break attempt,
            _ => {}
        }
    };
    assert_eq!(names, STEPS);
    assert_eq!(attempt.payment_id(), Some(&payment_id));
    assert_eq!(client.transfers(&TransferFilter::default()).await.unwrap(), []);
    attempt.submit().await.unwrap();
    assert_eq!(client.transfers(&TransferFilter::default()).await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_failed_step_is_taken_again_and_no_other() {
    for (operation, names) in [
        ("corridors", STEPS.to_vec()),
        ("recipient_account_fields", STEPS.to_vec()),
        ("create_recipient_account", STEPS.to_vec()),
        ("quote", STEPS.to_vec()),
        // The details are asked for each time that the transfer is prepared.
        (
            "transfer_fields",
            ["corridor", "fields", "card", "account", "quote", "details"]
                .into_iter()
                .chain(["details", "transfer"])
                .collect(),
        ),
    ] {
        let client = client([(operation, refusal(403, "AccessDenied")), ("transfer_fields", form(&[]))]);
        let (mut flow, mut taken, mut failures) = (begin(&client), Vec::new(), 0);
        while taken.last() != Some(&"transfer") {
            match step(&mut flow).await {
                Ok(name) => taken.push(name),
                Err(error) => {
                    assert_eq!(error.code(), Code::AccessDenied);
                    failures += 1;
                }
            }
        }
        assert_eq!((taken, failures), (names, 1), "{operation}");
    }
}

#[tokio::test(start_paused = true)]
async fn questions_are_asked_until_they_are_answered() {
    let client = client([("recipient_account_fields", form(&[CITY, CARD_FIELD]))]);
    let mut flow = begin(&client);
    assert_eq!(flow.set_account_fields(&[]).unwrap_err().option(), Some("fields"));
    up_to("corridor", &mut flow).await;
    assert_eq!(name_of(&flow.next_step().await.unwrap()), "fields");
    let missing = flow.set_account_fields(&[]).unwrap_err();
    assert_eq!((missing.kind(), missing.option()), (Kind::Field, Some("CITY")));
    let ids = missing.problems().iter().map(|problem| &*problem.field_id);
    assert_eq!(ids.collect::<Vec<_>>(), ["CITY"]);
    let card = flow.set_account_fields(&[FieldValue::new(CARD_ID, CARD)]).unwrap_err();
    assert_eq!((card.kind(), card.option()), (Kind::InvalidRequest, Some("fields")));
    flow.set_account_fields(&[FieldValue::new("CITY", "Oaxaca")]).unwrap();
    for _ in 0..2 {
        assert_eq!(name_of(&flow.next_step().await.unwrap()), "card");
    }
    up_to("quote", &mut flow).await;
    for _ in 0..2 {
        assert_eq!(name_of(&flow.next_step().await.unwrap()), "details");
    }
    let created = client.sent().into_iter().find(|sent| sent.method == "POST").unwrap();
    assert!(created.body.unwrap().contains(
        r#""fields":[{"id":"CITY","value":"Oaxaca"},{"id":"CARD_ID","value":"9007199254740993001"}]"#
    ));
}

#[tokio::test(start_paused = true)]
async fn a_route_without_a_corridor_or_a_card_is_refused() {
    let client = client([]);
    for (method, option) in [(TransferMethod::PushToCard, Some(CARD_ID)), (TransferMethod::BankAccount, None)]
    {
        let client = if option.is_some() {
            self::client([("recipient_account_fields", form(&[]))])
        } else {
            client.clone()
        };
        let mut flow = client.push_to_card(&route(method), &ID.parse().unwrap());
        let refused = loop {
            if let Err(refused) = step(&mut flow).await {
                break refused;
            }
        };
        assert_eq!((refused.code(), refused.option()), (Code::NoCorridorFoundForSpecificValues, option));
        assert_eq!(client.count("POST"), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_leads_back_to_what_helps() {
    // A refusal of which call, and the step it leads back to.
    for (operation, code, first) in [
        ("create_recipient_account", "CardNotSupported", "card"),
        ("create_recipient_account", "ValueRegexFailure", "fields"),
        ("quote", "CardNotSupported", "card"),
        ("nonce", "QuoteHistoryNotFound", "quote"),
        ("nonce", "CardNotSupported", "card"),
        // Fields of the transfer, not of the account.
        ("nonce", "ValueRegexFailure", "details"),
    ] {
        let nonce = reply(200, &format!(r#"{{"nonce":"{ID}"}}"#));
        let client = client([(operation, refusal(400, code)), ("nonce", nonce)]);
        let mut flow = begin(&client);
        let refused = loop {
            if let Err(refused) = step(&mut flow).await {
                break refused;
            }
        };
        assert_eq!(refused.code().as_str(), code);
        let steps = up_to("transfer", &mut flow).await;
        assert_eq!(steps.first(), Some(&first), "{operation} {code}");
        // A card that is in use is kept.
        assert_eq!(steps.contains(&"card"), first == "card", "{operation} {code}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_account_of_unknown_outcome_is_looked_for_before_another_is_created() {
    let found =
        format!(r#"[{{"recipientAccountId":"{ID}","fields":[{{"id":"CARD_ID","value":"{CARD}"}}]}}]"#);
    let lost = || ("create_recipient_account", Err(SendFailure::Timeout));
    let listed = || ("recipient_accounts", reply(200, &found));
    let unreadable = ("recipient_accounts", refusal(403, "AccessDenied"));

    let scripted = client([lost(), unreadable, listed()]);
    let mut flow = begin(&scripted);
    up_to("card", &mut flow).await;
    assert_eq!(error(flow.next_step().await).kind(), Kind::OutcomeUnknown);
    assert_eq!(error(flow.next_step().await).code(), Code::AccessDenied);
    assert_eq!(step(&mut flow).await.unwrap(), "account");
    assert_eq!(scripted.count("POST"), 1);

    // A step whose future was dropped may have created it, too.
    let scripted = client([lost(), listed()]);
    let mut flow = begin(&scripted);
    up_to("card", &mut flow).await;
    {
        let mut creating = pin!(flow.next_step());
        poll_fn(|context| {
            assert!(creating.as_mut().poll(context).is_pending());
            if scripted.count("POST") == 1 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
    assert_eq!(step(&mut flow).await.unwrap(), "account");
    assert_eq!(scripted.count("POST"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_prepared_transfer_ends_the_flow_until_another_quote_is_wanted() {
    let nonce = |id| ("nonce", reply(200, &format!(r#"{{"nonce":"{id}"}}"#)));
    let fields = || ("transfer_fields", form(&[]));
    let client = client([nonce(QUOTES[0]), nonce(QUOTES[1]), fields(), fields()]);
    let mut flow = begin(&client);
    up_to("transfer", &mut flow).await;
    let sent = client.sent().len();
    // A page that tries again after the transfer was made must not make another.
    for _ in 0..2 {
        let over = error(flow.next_step().await);
        assert_eq!((over.code(), over.option()), (Code::InvalidRequest, Some("step")));
    }
    assert_eq!(client.sent().len(), sent);
    flow.renew_quote();
    assert_eq!(up_to("transfer", &mut flow).await, ["quote", "details", "transfer"]);
}

#[tokio::test(start_paused = true)]
async fn other_answers_make_another_account() {
    for (is_card, account_fields) in [(true, form(&[CARD_FIELD])), (false, form(&[CITY, CARD_FIELD]))] {
        let client = client([
            ("recipient_account_fields", account_fields),
            ("create_recipient_account", account(QUOTES[0])),
        ]);
        let mut flow = begin(&client);
        up_to("corridor", &mut flow).await;
        flow.next_step().await.unwrap();
        let city = |name| if is_card { Vec::new() } else { vec![FieldValue::new("CITY", name)] };
        flow.set_account_fields(&city("Oaxaca")).unwrap();
        up_to("quote", &mut flow).await;
        match is_card {
            true => flow.set_card("7"),
            false => flow.set_account_fields(&city("Puebla")).unwrap(),
        }
        assert_eq!(up_to("details", &mut flow).await, ["account", "quote", "details"]);
        let last = client.sent().into_iter().rfind(|sent| sent.method == "POST").unwrap().body.unwrap();
        assert!(last.contains(if is_card { r#""value":"7""# } else { "Puebla" }), "{last}");
        // The same card again changes nothing.
        flow.set_card(if is_card { "7" } else { CARD });
        assert_eq!(name_of(&flow.next_step().await.unwrap()), "transfer");
    }
}

#[tokio::test(start_paused = true)]
async fn an_aborted_signal_ends_a_step() {
    let client = client([]);
    let mut flow = begin(&client).with_signal(client.now_ms() + 1);
    assert_eq!(error(flow.next_step().await).code(), Code::Aborted);
}

#[test]
fn options_are_refused_by_name() {
    let recipient = format!(r#""recipientId":"{ID}""#);
    let two = CORRIDOR.replace(r#"{"iso3Code":"MXN""#, r#"{"iso3Code":"USD"},{"iso3Code":"MXN""#);
    let none = CORRIDOR.replace(r#"[{"iso3Code":"MXN","decimalPlaces":2}]"#, "[]");
    remitkit::testing::run(async {
        let client = client([]);
        let begin = |options: &str| client.push_to_card_json(&format!("{{{options}}}"));
        for (options, code, option) in [
            (format!(r#"{recipient},"amount":1"#), Code::InvalidRequest, "corridor"),
            (format!(r#"{recipient},"amount":1,"corridor":"MEX""#), Code::InvalidRequest, "corridor"),
            (
                format!(
                    r#"{recipient},"amount":1,"corridor":{}"#,
                    CORRIDOR.replace("PUSH_TO_CARD", "BANK_ACCOUNT")
                ),
                Code::InvalidRequest,
                "corridor",
            ),
            (
                format!(r#"{recipient},"amount":1,"corridor":{none},"dstCurrencyIso3Code":"MXN""#),
                Code::InvalidRequest,
                "corridor",
            ),
            (
                format!(r#"{recipient},"amount":1,"corridor":{two}"#),
                Code::InvalidRequest,
                "dstCurrencyIso3Code",
            ),
            (
                format!(r#"{recipient},"amount":1,"corridor":{CORRIDOR},"srcCurrencyIso3Code":"MXN""#),
                Code::InvalidRequest,
                "srcCurrencyIso3Code",
            ),
            (format!(r#"{recipient},"amount":-1,"corridor":{CORRIDOR}"#), Code::InvalidAmount, "amount"),
            (format!(r#"{recipient},"corridor":{CORRIDOR}"#), Code::InvalidAmount, "amount"),
            (
                format!(r#"{recipient},"amount":1,"corridor":{CORRIDOR},"quoteBy":"send""#),
                Code::InvalidRequest,
                "quoteBy",
            ),
            (
                format!(r#"{recipient},"amount":1,"corridor":{CORRIDOR},"sessionId":"s""#),
                Code::InvalidRequest,
                "sessionId",
            ),
            (
                format!(r#""recipientId":"7","amount":1,"corridor":{CORRIDOR}"#),
                Code::InvalidRecipientId,
                "recipientId",
            ),
        ] {
            let refused = begin(&options).unwrap_err();
            assert_eq!((refused.code(), refused.option()), (code, Some(option)), "{options}");
        }
        let one = format!(r#"{recipient},"amount":1,"corridor":{two},"dstCurrencyIso3Code":"MXN""#);
        assert_eq!(step(&mut begin(&one).unwrap()).await.unwrap(), "corridor");
        assert_eq!(client.sent().len(), 1);
    });
}
