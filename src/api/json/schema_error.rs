/// Why a text was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaError {
    /// No JSON, from this byte on.
    Malformed(usize),
    /// JSON of another shape.
    Mismatch {
        /// Where, such as `fields[2].id`; empty for the whole value.
        path: String,
        /// What is expected there, as the end of a sentence: "a string".
        expected: &'static str,
        /// The code of the rule that was broken, where it was a rule.
        code: Option<crate::api::Code>,
    },
    /// A member that what is sent does not have.
    Unknown {
        /// Where.
        path: String,
    },
}

pub(super) fn within(fault: Box<SchemaError>, name: &str) -> Box<SchemaError> {
    prefix(fault, |path| {
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        [name, joint, path].concat()
    })
}

pub(super) fn within_item(fault: Box<SchemaError>, index: usize) -> Box<SchemaError> {
    prefix(fault, |path| {
        let joint = if path.is_empty() || path.starts_with('[') { "]" } else { "]." };
        ["[", &super::digits_of(index as u64), joint, path].concat()
    })
}

fn prefix(mut fault: Box<SchemaError>, with: impl FnOnce(&str) -> String) -> Box<SchemaError> {
    if let SchemaError::Unknown { path } | SchemaError::Mismatch { path, .. } = &mut *fault {
        *path = with(path);
    }
    fault
}
