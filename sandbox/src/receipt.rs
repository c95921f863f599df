//! GET /v1/transfers/{transferId}/receipt: a page of PDF.

use std::fmt::Write;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use serde_json::Value;

use crate::access::Caller;
use crate::app::App;
use crate::currency::decimal;
use crate::error::{ApiError, ErrorCode};
use crate::input::Path;
use crate::resource::Resource;
use crate::transfer;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/transfers/{transferId}/receipt:
    get:
      operationId: transferReceipt
      tags: [transfer]
      summary: Gives the receipt as a document.
      x-source: published
      x-error-codes: [TransferReceiptNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/transferId" }
      responses:
        "200":
          description: The receipt.
          content:
            application/pdf: {}
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/transfers/{transfer}/receipt", get(read))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = transfer::path_id(&id)?;
    let now = app.clock.now();
    let record = app
        .store
        .read(move |db| {
            let transfer =
                transfer::find(db, caller, id).map_err(|error| match error.codes().as_slice() {
                    [ErrorCode::TransferNotFound] => ErrorCode::TransferReceiptNotFound.into(),
                    _ => error,
                })?;
            // What is held or was taken back has not been paid for: there is nothing to confirm.
            if transfer.is_held(now) || transfer.customer_hold == "CANCELED" {
                return Err(ErrorCode::TransferReceiptNotFound.into());
            }
            transfer.record(db, now)
        })
        .await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, pdf(&lines(&record))).into_response())
}

fn text<'a>(record: &'a Value, path: &str) -> &'a str {
    record.pointer(path).and_then(Value::as_str).unwrap_or("")
}

fn amount(record: &Value, name: &str) -> String {
    written(value(record, name), record.pointer(&format!("/quote/{name}/currency")))
}

/// What the sender pays beside the amount: fees and taxes, less discounts.
fn fee(record: &Value) -> String {
    let fee = value(record, "totalCost") - value(record, "sendAmount");
    written(fee, record.pointer("/quote/totalCost/currency"))
}

fn value(record: &Value, name: &str) -> i64 {
    record.pointer(&format!("/quote/{name}/value")).and_then(Value::as_i64).unwrap_or(0)
}

fn written(value: i64, currency: Option<&Value>) -> String {
    let Some(currency) = currency else { return String::new() };
    let places = currency.get("decimalPlaces").and_then(Value::as_u64).unwrap_or(0);
    format!("{} {}", decimal(value, u32::try_from(places).unwrap_or(0)), text(currency, "/iso3Code"))
}

fn date(iso: &str) -> String {
    let at = iso.parse::<Timestamp>();
    at.map_or_else(|_| iso.to_owned(), |at| at.strftime("%-d %B %Y, %H:%M UTC").to_string())
}

/// `PUSH_TO_CARD` in words.
fn words(value: &str) -> String {
    let words = value.replace('_', " ").to_lowercase();
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How the recipient gets the money, as a sender would say it.
fn method(record: &Value) -> String {
    match text(record, "/quote/transferMethod") {
        "PUSH_TO_CARD" => String::from("Debit card"),
        other => words(other),
    }
}

fn name(record: &Value, whose: &str) -> String {
    let part = |name: &str| text(record, &format!("/{whose}/{name}"));
    match part("companyName") {
        "" => format!("{} {}", part("firstName"), part("lastName")),
        company => company.to_owned(),
    }
}

fn lines(record: &Value) -> Vec<String> {
    let confirmation = match record.get("confirmationNumber") {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    vec![
        format!("{}: receipt of a transfer", text(record, "/customer/name")),
        String::new(),
        format!("Confirmation number   {confirmation}"),
        format!("Transfer              {}", text(record, "/transferId")),
        format!("Date                  {}", date(text(record, "/createdAt"))),
        format!("Status                {}", words(text(record, "/status"))),
        String::new(),
        format!("Sender                {}", name(record, "senderDetails")),
        format!("Recipient             {}", name(record, "recipientDetails")),
        format!("To                    {}", text(record, "/quote/destinationCountry/name")),
        format!("By                    {}", method(record)),
        String::new(),
        format!("Amount sent           {}", amount(record, "sendAmount")),
        format!("Fee                   {}", fee(record)),
        format!("Total cost            {}", amount(record, "totalCost")),
        format!("Amount received       {}", amount(record, "receiveAmount")),
        String::new(),
        String::from("Made by a sandbox. No money was moved."),
    ]
}

/// A string of PDF in the encoding that the standard fonts have; what it lacks becomes a question
/// mark.
fn escaped(line: &str) -> String {
    let mut escaped = String::new();
    for character in line.chars() {
        match character {
            '(' | ')' | '\\' => {
                escaped.push('\\');
                escaped.push(character);
            }
            ' '..='~' => escaped.push(character),
            '\u{a0}'..='\u{ff}' => {
                let _ = write!(escaped, "\\{:03o}", u32::from(character));
            }
            _ => escaped.push('?'),
        }
    }
    escaped
}

/// One page of text in Courier, written by hand: five objects and the table of where they start.
fn pdf(lines: &[String]) -> Vec<u8> {
    let mut page = String::from("BT /F1 11 Tf 16 TL 56 780 Td\n");
    for line in lines {
        let _ = writeln!(page, "({}) Tj T*", escaped(line));
    }
    page.push_str("ET");
    let objects = [
        String::from("<< /Type /Catalog /Pages 2 0 R >>"),
        String::from("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
        String::from(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
             /Resources << /Font << /F1 5 0 R >> >> >>",
        ),
        format!("<< /Length {} >>\nstream\n{page}\nendstream", page.len()),
        String::from("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"),
    ];
    let mut file = String::from("%PDF-1.4\n");
    let mut starts = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        starts.push(file.len());
        let _ = writeln!(file, "{} 0 obj\n{object}\nendobj", at + 1);
    }
    let table = file.len();
    let _ = writeln!(file, "xref\n0 {}\n0000000000 65535 f ", objects.len() + 1);
    for start in starts {
        let _ = writeln!(file, "{start:010} 00000 n ");
    }
    let _ =
        write!(file, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    file.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_where_the_objects_are() {
        let file = pdf(&[String::from("José (Medellín) \\ Đà Nẵng")]);
        let text = String::from_utf8(file).unwrap();
        assert!(text.is_ascii());
        assert!(text.contains("(Jos\\351 \\(Medell\\355n\\) \\\\ ?\\340 N?ng) Tj"));
        let start: usize = text.split("startxref\n").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        let from = |at: usize| text.get(at..).unwrap();
        assert!(from(start).starts_with("xref\n0 6\n"));
        for (at, line) in from(start).lines().skip(3).take(5).enumerate() {
            let object: usize = line.get(..10).unwrap().parse().unwrap();
            assert!(from(object).starts_with(&format!("{} 0 obj", at + 1)));
            assert_eq!(line.len(), 19);
        }
    }

    #[test]
    fn dates_and_names_are_written_for_people() {
        assert_eq!(date("2026-11-22T09:05:00.000Z"), "22 November 2026, 09:05 UTC");
        assert_eq!(words("BANK_ACCOUNT"), "Bank account");
        assert_eq!(words(""), "");
        let usd = serde_json::json!({ "iso3Code": "USD", "decimalPlaces": 2 });
        let record = serde_json::json!({ "quote": {
            "sendAmount": { "value": 20_000, "currency": usd },
            "totalCost": { "value": 20_399, "currency": usd },
        } });
        assert_eq!(fee(&record), "3.99 USD");
    }
}
