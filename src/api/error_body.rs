//! The error bodies of the service and of proxies before it (interface, part 7).

use super::field_problem::FieldProblem;
use super::json::{JsonRef, Mode, Shape, scan};
use super::{Code, Error};

/// Creates the error of a reply. The body may be an array of errors, one error, `{ message, errors }`, the
/// token endpoint's form, or no JSON. The status counts only where the body has no known code.
pub(crate) fn error_of_reply(status: u16, request_id: Option<&str>, body: &str) -> Error {
    let readable = scan(body, &Shape::Any, Mode::Received).is_ok();
    let view = JsonRef::new(if readable { body } else { "null" });
    let list = view.member("errors").filter(|errors| errors.items().next().is_some()).unwrap_or(view);
    let mut entries: Vec<_> = list.items().filter(|entry| entry.text_of("code").is_some()).collect();
    if entries.is_empty() && view.text_of("code").is_some() {
        entries.push(view);
    }
    let problems: Vec<_> = entries.iter().filter_map(|entry| problem(*entry)).collect();
    let error = match entries.first() {
        Some(entry) => {
            let code = Code::from(&*entry.text_of("code").unwrap_or_default());
            let by_status = if code.is_known() { None } else { code_of_status(status) };
            let kind = by_status.unwrap_or_else(|| code.clone()).kind();
            let error = Error::new(code).with_kind(kind).marked_from_service();
            match message(*entry) {
                Some(message) => error.with_user_message(message),
                None => error,
            }
        }
        None => Error::new(code_of_status(status).unwrap_or(Code::BadRequestError)),
    };
    error.with_problems(problems).with_reply_status(status, request_id)
}

fn code_of_status(status: u16) -> Option<Code> {
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
    fn each_body_format_yields_its_code_and_message() {
        let transfer_request =
            r#"{"message":"No","errors":[{"code":"TransferRequestNotFound","message":"Gone"}]}"#;
        let oauth = r#"{"error":"invalid_client","error_description":"secret things"}"#;
        for (status, body, code, message) in [
            (400, r#"[{"code":"InvalidAmount","message":"Too odd"}]"#, Code::InvalidAmount, Some("Too odd")),
            (404, r#"{"code":"TransferNotFound","message":""}"#, Code::TransferNotFound, None),
            (400, transfer_request, Code::TransferRequestNotFound, Some("Gone")),
            (401, oauth, Code::Unauthorized, None),
            (502, "<html>Bad gateway</html>", Code::ServiceUnavailable, None),
            (400, r#"[{"code":"ComesLater","message":"New"}]"#, Code::from("ComesLater"), Some("New")),
            (400, "[]", Code::BadRequestError, None),
            (429, "", Code::TooManyRequests, None),
        ] {
            let error = error_of_reply(status, Some("r-1"), body);
            let message = message.unwrap_or(code.message());
            assert_eq!((error.code(), error.message()), (code.clone(), message));
            assert_eq!((error.http_status(), error.request_id()), (Some(status), Some("r-1")));
        }
    }

    #[test]
    fn all_problems_of_fields_are_listed() {
        let body = r#"[{"code":"MissingRequiredField","message":"Give it","fieldId":"firstName"},{"code":"ValueRegexFailure","fieldId":"zip"}]"#;
        let error = error_of_reply(400, None, body);
        let ids: Vec<_> = error.problems().iter().map(|p| (p.field_id.as_str(), p.code.as_str())).collect();
        assert_eq!(ids, [("firstName", "MissingRequiredField"), ("zip", "ValueRegexFailure")]);
        assert_eq!(error.kind(), Kind::Field);
    }

    #[test]
    fn the_status_decides_the_kind_of_an_unknown_code() {
        for (status, kind, retryable) in [
            (400, Kind::InvalidRequest, false),
            (401, Kind::Authentication, false),
            (404, Kind::NotFound, false),
            (408, Kind::Timeout, true),
            (429, Kind::Unavailable, true),
            (500, Kind::Unavailable, true),
            (503, Kind::Unavailable, true),
        ] {
            let error = error_of_reply(status, None, r#"[{"code":"ComesLater"}]"#);
            assert_eq!((error.kind(), error.retryable()), (kind, retryable), "{status}");
        }
    }
}
