//! The part of the module for fields and transfers.

use super::host::Host;
use super::journal::open_journal;
use crate::api::part::part;
use crate::api::{Code, Error, FieldForm, FieldProblem};
use crate::browser::{matches_pattern, now_ms};
use crate::client::{Journal, date_of};

/// What the part for fields and transfers has.
pub(super) struct TransferPart {
    /// To be called before work that needs the part.
    pub(super) begin: fn(),
    pub(super) open_journal: fn(&Host) -> Box<dyn Journal>,
    pub(super) requires_card: fn(&FieldForm) -> bool,
    pub(super) check: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) to_fields: fn(&FieldForm, &str) -> Result<String, Error>,
    pub(super) warnings: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
}

part! {
    "transfer", "7a5c",
    pub(super) fn transfer_part() -> TransferPart {
        TransferPart {
            begin: Code::load_later_messages,
            open_journal,
            requires_card: FieldForm::requires_card,
            check: |form, values| form.check(values, &date_of(now_ms()), &matches_pattern),
            to_fields: |form, values| form.to_fields(values, &matches_pattern),
            warnings: |form, values| form.warnings(values, &matches_pattern),
        }
    }
}
