//! Takes and restores snapshots.

use super::{Call, bad_request, clock};
use crate::additions;
use crate::endpoint::*;
use crate::snapshot::{Snapshot, read_all, replace_all};

/// How many are kept; the oldest is dropped.
const CAPACITY: usize = 50;

pub(super) fn take(call: &Call, db: &Connection) -> Reply {
    let app = &call.app;
    let (id, tables, controls) = (app.request_ids.uuid(), read_all(db)?, app.controls().clone());
    let mut snapshots = app.snapshots();
    if snapshots.len() == CAPACITY {
        snapshots.pop_front();
    }
    snapshots.push_back(Snapshot { id, tables, clock: app.clock.setting(), controls });
    Ok(json!({ "snapshotId": id }))
}

/// Restores records, clock and what testers have set, and clears the request log.
pub(super) fn restore(call: &Call, db: &Connection) -> Reply {
    let id = call.path_id("snapshotId")?;
    let snapshots = call.app.snapshots();
    let snapshot = snapshots.iter().find(|snapshot| snapshot.id == id);
    let snapshot = snapshot.ok_or_else(|| bad_request("no snapshot has this id; the newest 50 are kept"))?;
    replace_all(db, &snapshot.tables)?;
    call.app.set_world(additions::stored(db, &call.app.initial_world)?);
    clock::set(call, db, snapshot.clock)?;
    *call.app.controls() = snapshot.controls.clone();
    call.app.log.clear();
    clock::read(call)
}
