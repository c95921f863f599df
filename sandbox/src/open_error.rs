use std::fmt::{Display, Formatter};
use std::path::Path;

/// The reason why a sandbox could not be opened.
#[derive(Debug)]
pub struct OpenError(String);

impl OpenError {
    pub(crate) fn new(message: impl Display) -> Self {
        Self(message.to_string())
    }

    pub(crate) fn of_database(db: Option<&Path>, cause: impl Display) -> Self {
        Self(match db {
            Some(path) => format!(
                "the database {} could not be opened: {cause}. Give --db a file in a folder that exists \
                 and can be written, made by this version of the sandbox.",
                path.display(),
            ),
            None => format!("the database could not be made: {cause}"),
        })
    }
}

impl Display for OpenError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}
