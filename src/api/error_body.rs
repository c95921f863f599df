//! The forms in which the service and what stands before it say that something went wrong
//! (interface, part 7).

use super::field_problem::FieldProblem;
use super::json::{JsonRef, Mode, Shape, scan};
use super::lean::collect;
use super::{Code, Error};

/// The error that a reply with this status and body stands for. An array of errors, one object,
/// `{message, errors}`, the token endpoint's form, or no JSON at all: the code decides, and the status only
/// where there is none.
#[must_use]
pub fn error_of_reply(status: u16, request_id: Option<&str>, body: &str) -> Error {
    let readable = scan(body, &Shape::Any, Mode::Received).is_ok();
    let view = JsonRef::new(if readable { body } else { "null" });
    let list = view.member("errors").filter(|errors| errors.items().next().is_some()).unwrap_or(view);
    let mut entries = collect(list.items().filter(|entry| entry.text_of("code").is_some()));
    if entries.is_empty() && view.text_of("code").is_some() {
        entries.push(view);
    }
    let problems = collect(entries.iter().filter_map(|entry| problem(*entry)));
    let error = match entries.first() {
        Some(entry) => {
            let code = Code::from(&*entry.text_of("code").unwrap_or_default());
            let named = if code.is_known() { None } else { of_status(status) };
            let kind = named.unwrap_or_else(|| code.clone()).kind();
            let error = Error::new(code).of_kind(kind).by_service();
            match message(*entry) {
                Some(message) => error.telling(message),
                None => error,
            }
        }
        None => Error::new(of_status(status).unwrap_or(Code::BadRequestError)),
    };
    error.with_problems(problems).from_reply(status, request_id)
}

/// The code for a reply that names none.
fn of_status(status: u16) -> Option<Code> {
    Some(match status {
        401 => Code::Unauthorized,
        403 => Code::AccessDenied,
        404 => Code::NotFound,
        408 => Code::Timeout,
        429 => Code::TooManyRequests,
        500.. => Code::ServiceUnavailable,
        _ => return None,
    })
}

fn message(entry: JsonRef<'_>) -> Option<String> {
    entry.text_of("message").filter(|message| !message.trim().is_empty()).map(std::borrow::Cow::into_owned)
}

fn problem(entry: JsonRef<'_>) -> Option<FieldProblem> {
    let field_id = entry.text_of("fieldId").filter(|id| !id.is_empty())?.into_owned();
    let code = Code::from(&*entry.text_of("code")?);
    let message = message(entry).unwrap_or_else(|| code.message().to_owned());
    Some(FieldProblem { field_id, code, message, label: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;

    #[test]
    fn every_form_of_body_gives_its_code_and_message() {
        let cases = [
            (400, r#"[{"code":"InvalidAmount","message":"Too odd"}]"#, "InvalidAmount", "Too odd"),
            (
                404,
                r#"{"code":"TransferNotFound","message":""}"#,
                "TransferNotFound",
                "The transfer was not found.",
            ),
            (
                400,
                r#"{"message":"No","errors":[{"code":"TransferRequestNotFound","message":"Gone"}]}"#,
                "TransferRequestNotFound",
                "Gone",
            ),
            (
                401,
                r#"{"error":"invalid_client","error_description":"secret things"}"#,
                "Unauthorized",
                "Your session is over. Sign in again.",
            ),
            (
                502,
                "<html>Bad gateway</html>",
                "ServiceUnavailable",
                "The service is not available right now. Try again later.",
            ),
            (400, r#"[{"code":"ComesLater","message":"New"}]"#, "ComesLater", "New"),
            (400, "[]", "BadRequestError", "The request is incomplete or not well-formed."),
            (429, "", "TooManyRequests", "Too many requests. Try again in a moment."),
        ];
        for (status, body, code, message) in cases {
            let error = error_of_reply(status, Some("r-1"), body);
            assert_eq!((error.code().as_str(), error.message()), (code, message));
            assert_eq!((error.http_status(), error.request_id()), (Some(status), Some("r-1")));
        }
    }

    #[test]
    fn all_fields_at_fault_are_named() {
        let body = r#"[{"code":"MissingRequiredField","message":"Give it","fieldId":"firstName"},{"code":"ValueRegexFailure","fieldId":"zip"}]"#;
        let error = error_of_reply(400, None, body);
        let ids: Vec<_> = error.problems().iter().map(|p| (p.field_id.as_str(), p.code.as_str())).collect();
        assert_eq!(ids, [("firstName", "MissingRequiredField"), ("zip", "ValueRegexFailure")]);
        assert_eq!(error.kind(), Kind::Field);
    }

    #[test]
    fn an_unknown_code_takes_its_kind_from_the_status() {
        let kind = |status| error_of_reply(status, None, r#"[{"code":"ComesLater"}]"#).kind();
        assert_eq!(
            [kind(400), kind(401), kind(404), kind(503)],
            [Kind::InvalidRequest, Kind::Authentication, Kind::NotFound, Kind::Unavailable]
        );
    }
}
