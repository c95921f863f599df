//! What testers add to the world by requests. It is stored, so that a restart, a reset and a snapshot treat
//! it as they treat records.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rusqlite::Connection;
use serde_json::Value;

use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem, Result};
use crate::validation::check;
use crate::world::World;

pub(crate) const TABLES: &str =
    "CREATE TABLE IF NOT EXISTS additions (number INTEGER PRIMARY KEY, data TEXT NOT NULL);";

/// Returns the built-in world with what a file adds.
pub(crate) fn initial(file: Option<&Path>) -> io::Result<Arc<World>> {
    let built_in = World::built_in().map_err(io::Error::other)?;
    let Some(file) = file else { return Ok(built_in) };
    let wrong = |why: String| io::Error::other(format!("the configuration {}: {why}.", file.display()));
    let text =
        std::fs::read_to_string(file).map_err(|error| wrong(format!("it could not be read: {error}")))?;
    World::parse(&text).and_then(|more| extended(&built_in, more)).map_err(wrong)
}

fn extended(world: &World, more: World) -> Result<Arc<World>, String> {
    let world = world.with(more)?;
    check(&world)?;
    Ok(Arc::new(world))
}

/// Returns the initial world with what is stored.
pub(crate) fn stored(db: &Connection, initial: &Arc<World>) -> Result<Arc<World>> {
    let mut world = Arc::clone(initial);
    let mut rows = db.prepare_cached("SELECT data FROM additions ORDER BY number")?;
    for data in rows.query_map([], |row| row.get::<_, String>(0))? {
        let more = World::parse(&data?).and_then(|more| extended(&world, more));
        world = more.map_err(ApiError::internal)?;
    }
    Ok(world)
}

/// Adds to the world and stores what is added.
pub(crate) fn add(app: &App, db: &Connection, more: &Value) -> Result<Arc<World>> {
    let refused = |why: String| ApiError::from(Problem::new(ErrorCode::BadRequestError).because(why));
    let world = World::read(more).and_then(|more| extended(&app.world(), more)).map_err(refused)?;
    db.execute("INSERT INTO additions (data) VALUES (?1)", [more.to_string()])?;
    app.set_world(Arc::clone(&world));
    Ok(world)
}
