use crate::api::json::{View, Wire};
use crate::api::record::record;
use crate::api::{Address, Error, Json, Uuid, check_options};
use crate::browser::CardFormOptions;
use crate::card::Theme;
use crate::client;

const TIMEOUT_MS: i64 = 10_000;
const LOAD_TIMEOUT_MS: i64 = 20_000;
/// What the form needs at 320 CSS pixels of width.
const HEIGHT: i64 = 620;

record! {
    private Given {
        required base_url "baseUrl": String,
        required card_url "cardUrl": String,
        optional locale "locale": String,
        optional timeout_ms "timeoutMs": i64,
    }
}

record! {
    private GivenForm {
        optional session_id "sessionId": Uuid,
        optional theme "theme": Json,
        optional title "title": String,
        optional height "height": i64,
        optional load_timeout_ms "loadTimeoutMs": i64,
    }
}

/// The options of `createRemitKit`, checked.
pub(super) struct Settings {
    pub(super) client: client::Options,
    pub(super) card_url: Address,
}

impl Settings {
    pub(super) fn read(json: &str) -> Result<Self, Error> {
        let given = read::<Given>("options", json)?;
        let card_url = Address::parse("cardUrl", &given.card_url)?;
        if page_origin().as_deref() == Some(card_url.origin()) {
            let expected =
                "of another origin than the page: only then can neither read what is typed into the other";
            return Err(Error::configuration("cardUrl", expected));
        }
        let locale = given.locale.unwrap_or_else(|| "en-US".to_owned());
        let is_tag =
            |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if locale.len() > 35 || !locale.split('-').all(is_tag) {
            return Err(Error::configuration("locale", "a language tag such as en-US"));
        }
        let options = client::Options {
            base_url: Address::parse("baseUrl", &given.base_url)?,
            locale,
            timeout_ms: within("timeoutMs", given.timeout_ms, TIMEOUT_MS, 100..=120_000)?,
            #[cfg(feature = "weakened")]
            weakness: weakness(),
        };
        Ok(Settings { client: options, card_url })
    }
}

pub(super) fn card_form(
    json: &str,
    card_url: Address,
    theme: Result<Theme, Error>,
) -> Result<CardFormOptions, Error> {
    let given = read::<GivenForm>("options", json)?;
    let title = given.title.unwrap_or_else(|| "Card details".to_owned());
    if title.trim().is_empty() {
        return Err(Error::configuration("title", "text that tells a screen reader what the frame is"));
    }
    Ok(CardFormOptions {
        card_url,
        session_id: given.session_id,
        theme: theme?,
        title,
        height: within("height", given.height, HEIGHT, 100..=4000)?,
        load_timeout_ms: within("loadTimeoutMs", given.load_timeout_ms, LOAD_TIMEOUT_MS, 100..=120_000)?,
    })
}

fn read<T: Wire>(name: &str, json: &str) -> Result<T, Error> {
    let checked = check_options(name, json, T::SHAPE)?;
    T::read(View::new(&checked)).ok_or_else(|| Error::configuration(name, "plain JSON data"))
}

fn within(
    name: &str,
    given: Option<i64>,
    default: i64,
    range: std::ops::RangeInclusive<i64>,
) -> Result<u32, Error> {
    let value = given.unwrap_or(default);
    if !range.contains(&value) {
        let bounds = [&range.start().to_string(), " to ", &range.end().to_string()].concat();
        return Err(Error::configuration(name, &["a whole number from ", &bounds].concat()));
    }
    u32::try_from(value).map_err(|_| Error::configuration(name, "a whole number"))
}

#[cfg(feature = "weakened")]
fn weakness() -> Option<client::Weakness> {
    let named = js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).ok()?;
    match named.as_string()?.as_str() {
        "reconciliation" => Some(client::Weakness::Reconciliation),
        "resend" => Some(client::Weakness::Resend),
        _ => None,
    }
}

fn page_origin() -> Option<String> {
    web_sys::window()?.location().origin().ok()
}
