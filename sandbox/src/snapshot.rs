//! A copy of all records and of what testers have set. It is kept in memory, and ends with the process.

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, Row, params_from_iter};
use uuid::Uuid;

use crate::clock::Setting;
use crate::controls::Controls;
use crate::error::Result;

#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) id: Uuid,
    pub(crate) tables: Vec<Table>,
    pub(crate) clock: Setting,
    pub(crate) controls: Controls,
}

#[derive(Debug)]
pub(crate) struct Table {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    fn read(db: &Connection, name: String) -> Result<Self> {
        // Without the generated columns, which cannot be written.
        let columns = texts(db, &format!("SELECT name FROM pragma_table_info('{name}')"))?;
        let mut statement = db.prepare_cached(&format!("SELECT {} FROM {name}", columns.join(", ")))?;
        let cells = |row: &Row<'_>| (0..columns.len()).map(|at| row.get(at)).collect();
        let rows = statement.query_map([], cells)?.collect::<Result<_, _>>()?;
        Ok(Self { name, columns, rows })
    }

    fn write(&self, db: &Connection) -> Result {
        let places = vec!["?"; self.columns.len()].join(", ");
        let insert = format!("INSERT INTO {} ({}) VALUES ({places})", self.name, self.columns.join(", "));
        let mut insert = db.prepare_cached(&insert)?;
        for row in &self.rows {
            insert.execute(params_from_iter(row))?;
        }
        Ok(())
    }
}

/// Copies all tables but `meta`, which has what outlives records: the key of tokens.
pub(crate) fn read_all(db: &Connection) -> Result<Vec<Table>> {
    tables(db)?.into_iter().map(|name| Table::read(db, name)).collect()
}

/// Replaces the records of all tables.
pub(crate) fn replace_all(db: &Connection, tables: &[Table]) -> Result {
    clear_all(db)?;
    tables.iter().try_for_each(|table| table.write(db))
}

pub(crate) fn clear_all(db: &Connection) -> Result {
    for table in tables(db)? {
        db.execute(&format!("DELETE FROM {table}"), [])?;
    }
    Ok(())
}

fn tables(db: &Connection) -> Result<Vec<String>> {
    let tables = "SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name <> 'meta' AND name NOT LIKE 'sqlite_%'";
    texts(db, tables)
}

fn texts(db: &Connection, query: &str) -> Result<Vec<String>> {
    let mut statement = db.prepare_cached(query)?;
    Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
