//! The database. One thread owns the connection; everything else sends it jobs.
//!
//! Jobs that arrive during a transaction share the next one (group commit), so thousands of requests a second
//! need few writes to the disk and none blocks the runtime. A reply leaves only after its commit.

use std::fmt::Display;
use std::fs::{File, TryLockError};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::error::{ApiError, ErrorCode, Result};
use crate::locks::lock;

/// How many jobs can wait before senders have to.
const QUEUE: usize = 4_096;
const BATCH: usize = 256;
/// How long another process may lock the file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const CACHED_STATEMENTS: usize = 128;
/// Raised with every change of what the tables and their rows hold.
const LAYOUT: i64 = 3;

/// Answers a job once the outcome of the commit is known.
type Finish = Box<dyn FnOnce(Result) + Send>;
type Job = Box<dyn FnOnce(&Connection) -> Finish + Send>;

/// What a job does with the database.
pub(crate) trait Work<T>: FnOnce(&Connection) -> Result<T> + Send + 'static {}
impl<T, F: FnOnce(&Connection) -> Result<T> + Send + 'static> Work<T> for F {}

tokio::task_local! {
    /// Set while every write has to be rolled back.
    static ROLLED_BACK: ();
}

/// Runs a request whose writes are completed and then rolled back, as if the process had died between the
/// last statement and the commit.
pub(crate) async fn rolled_back<F: Future>(request: F) -> F::Output {
    ROLLED_BACK.scope((), request).await
}

/// A handle on the database. Dropping the last clone closes it.
#[derive(Clone, Debug)]
pub(crate) enum Store {
    Thread(mpsc::Sender<Job>),
    /// For simulations: jobs run on the caller's thread, in one open transaction that makes rewinding cheap.
    Simulated(Arc<Mutex<Connection>>),
}

impl Store {
    /// Opens the database, creates the tables that are missing, and starts its thread. `prepare` runs in the
    /// same transaction.
    pub(crate) fn open<T>(
        path: Option<&Path>,
        simulated: bool,
        tables: &str,
        prepare: impl FnOnce(&Connection) -> T,
    ) -> Result<(Self, T), rusqlite::Error> {
        let mut connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        check_layout(&transaction)?;
        transaction.execute_batch(tables)?;
        let prepared = prepare(&transaction);
        transaction.commit()?;

        if simulated {
            connection.execute_batch("BEGIN")?;
            return Ok((Self::Simulated(Arc::new(Mutex::new(connection))), prepared));
        }
        let (jobs, queue) = mpsc::channel(QUEUE);
        std::thread::Builder::new()
            .name("remitkit-store".into())
            .spawn(move || serve(&mut connection, queue))
            .map_err(other_error)?;
        Ok((Self::Thread(jobs), prepared))
    }

    /// In a simulation, makes the present state the one that [`Store::rewind`] restores.
    pub(crate) fn keep(&self) -> Result<(), rusqlite::Error> {
        self.in_simulation("COMMIT; BEGIN")
    }

    pub(crate) fn rewind(&self) -> Result<(), rusqlite::Error> {
        self.in_simulation("ROLLBACK; BEGIN")
    }

    fn in_simulation(&self, statements: &str) -> Result<(), rusqlite::Error> {
        match self {
            Self::Thread(_) => Ok(()),
            Self::Simulated(connection) => lock(connection).execute_batch(statements),
        }
    }

    /// Runs `work` in a transaction: commits its writes if it succeeds, rolls them back if it fails.
    pub(crate) async fn write<T: Send + 'static>(&self, work: impl Work<T>) -> Result<T> {
        let roll_back = ROLLED_BACK.try_with(|()| ()).is_ok();
        self.send(move |connection| {
            connection.prepare_cached("SAVEPOINT job")?.execute([])?;
            let mut outcome = catch_panic(work, connection);
            if roll_back && outcome.is_ok() {
                outcome = Err(ErrorCode::ServiceUnavailable.into());
            }
            if outcome.is_err() {
                connection.prepare_cached("ROLLBACK TO job")?.execute([])?;
            }
            connection.prepare_cached("RELEASE job")?.execute([])?;
            outcome
        })
        .await
    }

    pub(crate) async fn read<T: Send + 'static>(&self, work: impl Work<T>) -> Result<T> {
        self.send(move |connection| catch_panic(work, connection)).await
    }

    async fn send<T: Send + 'static>(&self, work: impl Work<T>) -> Result<T> {
        let jobs = match self {
            Self::Thread(jobs) => jobs,
            Self::Simulated(connection) => return work(&lock(connection)),
        };
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let outcome = work(connection);
            Box::new(move |committed| {
                // The caller may have hung up; the commit stands all the same.
                let _ = answer.send(committed.and(outcome));
            })
        });
        // A job is also dropped unrun where its transaction could not begin.
        let gone = || ApiError::unavailable("the database did not take the work");
        jobs.send(job).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

/// Reserves a database file for one sandbox: two would have two clocks, and a reset of one empties the other.
/// A file of its own, as SQLite locks the database itself. The lock ends with the process, however it ends.
pub(crate) fn lock_file(db: &Path) -> io::Result<File> {
    let mut name = db.as_os_str().to_owned();
    name.push("-lock");
    let file =
        File::options().create(true).append(true).open(&name).map_err(|error| not_opened(Some(db), error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let path = db.display();
            Err(io::Error::other(format!(
                "the database {path} is in use by another sandbox. Give --db another file."
            )))
        }
        Err(TryLockError::Error(error)) => Err(not_opened(Some(db), error)),
    }
}

/// Writes the write-ahead log into the database file, and empties it.
pub(crate) fn fold_log(db: &Path) -> Result<(), rusqlite::Error> {
    let connection = Connection::open(db)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// Explains why a database could not be opened.
pub(crate) fn not_opened(db: Option<&Path>, cause: impl Display) -> io::Error {
    io::Error::other(match db {
        Some(path) => format!(
            "the database {} could not be opened: {cause}. Give --db a file in a folder that exists and can \
             be written, made by this version of the sandbox.",
            path.display(),
        ),
        None => format!("the database could not be made: {cause}"),
    })
}

/// Refuses a file whose rows another version wrote: each reply that reads one would be a 500.
fn check_layout(db: &Connection) -> Result<(), rusqlite::Error> {
    let number = |query| db.query_row(query, [], |row| row.get::<_, i64>(0));
    if number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return db.pragma_update(None, "user_version", LAYOUT);
    }
    match number("PRAGMA user_version")? {
        LAYOUT => Ok(()),
        _ => Err(other_error("another version of the sandbox made it")),
    }
}

fn other_error(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(cause.into())
}

fn catch_panic<T>(work: impl Work<T>, connection: &Connection) -> Result<T> {
    let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)));
    outcome.unwrap_or_else(|_| Err(ApiError::internal("a handler panicked")))
}

fn serve(connection: &mut Connection, mut queue: mpsc::Receiver<Job>) {
    let mut finishes: Vec<Finish> = Vec::with_capacity(BATCH);
    while let Some(first) = queue.blocking_recv() {
        let committed = run_batch(connection, first, &mut queue, &mut finishes);
        for finish in finishes.drain(..) {
            finish(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(ApiError::internal(format!("database: {error}"))),
            });
        }
    }
}

fn run_batch(
    connection: &mut Connection,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    finishes: &mut Vec<Finish>,
) -> Result<(), rusqlite::Error> {
    // A deferred transaction that reads first and then writes fails instead of waiting for another process's
    // lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    finishes.push(first(&transaction));
    while finishes.len() < BATCH {
        match queue.try_recv() {
            Ok(job) => finishes.push(job(&transaction)),
            Err(_) => break,
        }
    }
    transaction.commit()
}
