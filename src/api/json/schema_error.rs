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

/// Prefixes the error's path with the name of a member, or `[index]` of an item.
pub(super) fn within(mut error: Box<SchemaError>, segment: &str) -> Box<SchemaError> {
    if let SchemaError::Unknown { path } | SchemaError::Mismatch { path, .. } = &mut *error {
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        *path = [segment, joint, path].concat();
    }
    error
}
