//! Tables whose rows are JSON: `number` in the order of their making, `id`, and `data`. What SQL has to
//! compare or to sum is a column generated from `data`, so that each member is named once.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// Gives a type with an `id` a table of its own. Further columns and rules begin with a comma; what follows the
/// table are its indexes.
macro_rules! record {
    ($type:ty, $table:literal, $columns:literal, $indexes:literal) => {
        impl $crate::records::Record for $type {
            const TABLE: &'static str = $table;
            const SQL: &'static str = concat!(
                "CREATE TABLE IF NOT EXISTS ",
                $table,
                " (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, data TEXT NOT NULL",
                $columns,
                ");",
                $indexes
            );

            fn id(&self) -> String {
                self.id.to_string()
            }
        }
    };
}
pub(crate) use record;

/// What has a table of its own.
pub(crate) trait Record: Serialize + DeserializeOwned {
    const TABLE: &'static str;
    const SQL: &'static str;

    fn id(&self) -> String;

    /// Adds a row and returns its number. The error is the database's, for whoever knows its constraints.
    fn insert(&self, db: &Connection) -> rusqlite::Result<i64> {
        let mut statement =
            db.prepare_cached(&format!("INSERT INTO {} (id, data) VALUES (?1, ?2)", Self::TABLE))?;
        statement.insert(params![self.id(), data(self)?])
    }

    fn update(&self, db: &Connection) -> rusqlite::Result<()> {
        let mut statement =
            db.prepare_cached(&format!("UPDATE {} SET data = ?2 WHERE id = ?1", Self::TABLE))?;
        statement.execute(params![self.id(), data(self)?]).map(|_| ())
    }

    fn delete(&self, db: &Connection) -> rusqlite::Result<()> {
        let mut statement = db.prepare_cached(&format!("DELETE FROM {} WHERE id = ?1", Self::TABLE))?;
        statement.execute([self.id()]).map(|_| ())
    }

    fn get(db: &Connection, id: impl ToString) -> Result<Option<Self>, ApiError> {
        Ok(Self::list(db, "WHERE id = ?1", [id.to_string()])?.pop())
    }

    /// The rows that a clause finds.
    fn list(db: &Connection, clause: &str, params: impl Params) -> Result<Vec<Self>, ApiError> {
        let mut statement = db.prepare_cached(&format!("SELECT data FROM {} {clause}", Self::TABLE))?;
        let rows = statement.query_map(params, |row| row.get::<_, String>(0))?;
        rows.map(|data| Ok(serde_json::from_str(&data?)?)).collect()
    }
}

fn data(record: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(record).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// The first value that a query finds, if it finds any.
pub(crate) fn value<T: FromSql>(
    db: &Connection,
    query: &str,
    params: impl Params,
) -> rusqlite::Result<Option<T>> {
    db.prepare_cached(query)?.query_row(params, |row| row.get(0)).optional()
}
