use super::Theme;
use crate::api::option_name::SESSION_ID;
use crate::api::{Address, Code, Error, is_uuid};

/// Returns the address of a session's card form: `<card_url>/v2/add-card/<session_id>?<theme>` (interface,
/// part 4: Card onboarding iframe).
///
/// # Errors
/// [`Code::InvalidRequest`] if the session id is no UUID.
pub fn card_form_url(card_url: &Address, session_id: &str, theme: &Theme) -> Result<String, Error> {
    form_url(card_url, session_id, &theme.to_query())
}

/// Returns the address for the query of a theme.
pub(crate) fn form_url(card_url: &Address, session_id: &str, query: &str) -> Result<String, Error> {
    if !is_uuid(session_id) {
        let expected = "a UUID, the id of a card session";
        return Err(Error::invalid_option(Code::InvalidRequest, &SESSION_ID, expected));
    }
    let mut url = card_url.join("/v2/add-card/");
    url.push_str(session_id);
    if !query.is_empty() {
        url.push('?');
        url.push_str(query);
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

    fn url(card_url: &str, session_id: &str, theme: &str) -> Result<String, Error> {
        let theme = Theme::from_json(theme, &|_| true).unwrap();
        card_form_url(&Address::parse("card_url", card_url).unwrap(), session_id, &theme)
    }

    #[test]
    fn the_session_is_in_the_path_and_the_theme_in_the_query() {
        let plain = url("https://card.example.com/", SESSION, "{}").unwrap();
        assert_eq!(plain, format!("https://card.example.com/v2/add-card/{SESSION}"));
        let themed = url("http://127.0.0.1:4101/eu", SESSION, r##"{"primary":"#0a7","showStep":true}"##);
        let expected = format!("http://127.0.0.1:4101/eu/v2/add-card/{SESSION}?primary=%230a7&showStep=1");
        assert_eq!(themed.unwrap(), expected);
    }

    #[test]
    fn only_a_session_id_reaches_the_path() {
        for id in ["", "..", "x", &format!("{SESSION}/../.."), "3f2504e0-4f89-41d3-9a0c-0305e82c330?"] {
            let error = url("https://card.example.com", id, "{}").unwrap_err();
            assert_eq!((error.code(), error.option()), (Code::InvalidRequest, Some("session_id")), "{id}");
        }
    }
}
