use crate::api::json::{Codec, JsonRef, digits_of};
use crate::api::record::record;
use crate::api::{Address, Error, Json, Uuid, check_options};
use crate::browser::{CardFormOptions, is_color};
use crate::card::Theme;
use crate::client;

record! {
    private KitOptions {
        required base_url "baseUrl": String,
        required card_url "cardUrl": String,
        optional locale "locale": String,
        optional timeout_ms "timeoutMs": Json,
        optional sender_id "senderId": Uuid,
    }
}

record! {
    private FormOptions {
        optional session_id "sessionId": Uuid,
        optional theme "theme": Json,
        optional title "title": String,
        optional height "height": Json,
        optional load_timeout_ms "loadTimeoutMs": Json,
    }
}

/// The checked options of `createRemitKit`.
pub(super) struct Settings {
    pub(super) client: client::Options,
    pub(super) card_url: Address,
}

impl Settings {
    pub(super) fn read(json: &str, page_origin: Option<&str>) -> Result<Self, Error> {
        let checked = check_options("options", json, KitOptions::SHAPE)?;
        let given = JsonRef::new(&checked);
        let address = |name| Address::parse(name, &given.text_of(name).unwrap_or_default());
        let card_url = address("cardUrl")?;
        if page_origin == Some(card_url.origin()) {
            let expected =
                "of another origin than the page: only then can neither read what is typed into the other";
            return Err(Error::configuration("cardUrl", expected));
        }
        let options = client::Options {
            base_url: address("baseUrl")?,
            timeout_ms: within(given, "timeoutMs", client::TIMEOUTS_MS)?
                .unwrap_or(client::DEFAULT_TIMEOUT_MS),
            locale: client::language_tag(&given.text_of("locale").unwrap_or_default()),
            sender_id: given.member("senderId").and_then(Uuid::read),
            #[cfg(feature = "optional-safeguards")]
            disabled: disabled_safeguard(),
        };
        Ok(Settings { client: options, card_url })
    }
}

/// Checks the options of a card form.
pub(super) fn card_form(json: &str) -> Result<CardFormOptions, Error> {
    let theme = read_theme(JsonRef::new(json).member("theme").map_or("{}", JsonRef::raw))?;
    let checked = check_options("options", json, FormOptions::SHAPE)?;
    let given = JsonRef::new(&checked);
    let defaults = CardFormOptions::default();
    let title = given.text_of("title").unwrap_or(defaults.title.into());
    if title.trim().is_empty() {
        return Err(Error::configuration("title", "a name for the frame, which screen readers announce"));
    }
    Ok(CardFormOptions {
        session_id: given.member("sessionId").and_then(Uuid::read),
        theme,
        title: title.into_owned(),
        height: within(given, "height", [100, 4000])?.unwrap_or(defaults.height),
        load_timeout_ms: within(given, "loadTimeoutMs", [100, 120_000])?.unwrap_or(defaults.load_timeout_ms),
    })
}

pub(super) fn read_theme(json: &str) -> Result<Theme, Error> {
    Theme::from_json(json, &is_color)
}

/// Returns a whole number of a range, or `None` if there is none.
fn within(given: JsonRef<'_>, name: &str, [least, most]: [u32; 2]) -> Result<Option<u32>, Error> {
    let Some(value) = given.member(name).filter(|value| !value.is_null()) else { return Ok(None) };
    let value = value.integer().and_then(|value| u32::try_from(value).ok());
    if value.is_some_and(|value| (least..=most).contains(&value)) {
        return Ok(value);
    }
    let [least, most] = [least, most].map(|bound| digits_of(u64::from(bound)));
    Err(Error::configuration(name, &["a whole number from ", &least, " to ", &most].concat()))
}

#[cfg(feature = "optional-safeguards")]
fn disabled_safeguard() -> Option<client::Safeguard> {
    let named = js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).ok()?;
    named.as_string()?.parse().ok()
}
