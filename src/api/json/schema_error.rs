/// Why a text does not have its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaError {
    /// Not JSON from this byte on.
    Malformed(usize),
    /// A value of another shape.
    Mismatch {
        /// The path of the value, such as `fields[2].id`; empty for the whole text.
        path: String,
        /// What is expected, as the end of a sentence: "a string".
        expected: &'static str,
        /// The error code of the broken rule, if any.
        code: Option<crate::api::Code>,
    },
    /// A member that the shape does not have.
    Unknown {
        /// The path of the member.
        path: String,
    },
}

pub(super) fn within(error: Box<SchemaError>, name: &str) -> Box<SchemaError> {
    prefix(error, |path| {
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        [name, joint, path].concat()
    })
}

pub(super) fn within_item(error: Box<SchemaError>, index: usize) -> Box<SchemaError> {
    prefix(error, |path| {
        let joint = if path.is_empty() || path.starts_with('[') { "]" } else { "]." };
        ["[", &super::digits_of(index as u64), joint, path].concat()
    })
}

fn prefix(mut error: Box<SchemaError>, with: impl FnOnce(&str) -> String) -> Box<SchemaError> {
    if let SchemaError::Unknown { path } | SchemaError::Mismatch { path, .. } = &mut *error {
        *path = with(path);
    }
    error
}
