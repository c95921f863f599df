use std::path::{Path, PathBuf};

/// Why a sandbox could not be opened.
#[derive(Debug)]
pub struct OpenError {
    pub(crate) db: Option<PathBuf>,
    pub(crate) cause: String,
    /// What watches the exchanges is at fault, not the database.
    pub(crate) of_watch: bool,
}

impl OpenError {
    pub(crate) fn of_database(db: &Path, cause: &rusqlite::Error) -> Self {
        Self { db: Some(db.to_owned()), cause: cause.to_string(), of_watch: false }
    }

    pub(crate) fn of_simulation(cause: rusqlite::Error) -> Self {
        Self { db: None, cause: cause.to_string(), of_watch: false }
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.of_watch {
            return formatter.write_str(&self.cause);
        }
        match &self.db {
            Some(path) => write!(
                formatter,
                "the database {} could not be opened: {}. Give --db a file in a folder that exists \
                 and can be written, made by this version of the sandbox.",
                path.display(),
                self.cause
            ),
            None => write!(formatter, "the database could not be made: {}", self.cause),
        }
    }
}

impl std::error::Error for OpenError {}
