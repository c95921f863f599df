//! Tables whose rows are JSON: `number` in order of insertion, `id`, and `data`. Columns that SQL compares or
//! sums are generated from `data`, so each member is named once.

use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Params, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Result;

/// Gives a type with an `id` a table. Optional: further columns and constraints, each after a comma, and the
/// statements that create its indexes.
macro_rules! record {
    ($type:ty, $table:literal $(, $columns:literal, $indexes:literal)?) => {
        impl $crate::records::Record for $type {
            const TABLE: &'static str = $table;
            const SQL: &'static str = concat!(
                "CREATE TABLE IF NOT EXISTS ",
                $table,
                " (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, data TEXT NOT NULL",
                $($columns,)?
                ");",
                $($indexes)?
            );

            fn id(&self) -> String {
                self.id.to_string()
            }
        }
    };
}
pub(crate) use record;

pub(crate) trait Record: Serialize + DeserializeOwned {
    const TABLE: &'static str;
    const SQL: &'static str;

    fn id(&self) -> String;

    /// Adds a row and returns its number. Returns the database's error, so that callers can tell which
    /// constraint failed.
    fn insert(&self, db: &Connection) -> rusqlite::Result<i64> {
        let statement = format!("INSERT INTO {} (id, data) VALUES (?1, ?2)", Self::TABLE);
        db.prepare_cached(&statement)?.insert(params![self.id(), to_data(self)?])
    }

    fn update(&self, db: &Connection) -> rusqlite::Result<()> {
        let statement = format!("UPDATE {} SET data = ?2 WHERE id = ?1", Self::TABLE);
        db.prepare_cached(&statement)?.execute(params![self.id(), to_data(self)?]).map(|_| ())
    }

    fn delete(&self, db: &Connection) -> rusqlite::Result<()> {
        let statement = format!("DELETE FROM {} WHERE id = ?1", Self::TABLE);
        db.prepare_cached(&statement)?.execute([self.id()]).map(|_| ())
    }

    fn get(db: &Connection, id: impl ToString) -> Result<Option<Self>> {
        Ok(Self::list(db, "WHERE id = ?1", [id.to_string()])?.pop())
    }

    fn list(db: &Connection, clause: &str, params: impl Params) -> Result<Vec<Self>> {
        let mut statement = db.prepare_cached(&format!("SELECT data FROM {} {clause}", Self::TABLE))?;
        let rows = statement.query_map(params, |row| row.get::<_, String>(0))?;
        rows.map(|data| Ok(serde_json::from_str(&data?)?)).collect()
    }
}

fn to_data(record: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(record).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

pub(crate) fn value<T: FromSql>(
    db: &Connection,
    query: &str,
    params: impl Params,
) -> rusqlite::Result<Option<T>> {
    db.prepare_cached(query)?.query_row(params, |row| row.get(0)).optional()
}
