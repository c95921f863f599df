//! The database: one thread owns the connection, and everything else sends it work.
//!
//! Work that arrives while a transaction is being written waits for the next one and shares it, so
//! that thousands of requests a second need few writes to the disk, and none blocks the runtime. An
//! answer leaves only when what it rests on is committed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use crate::error::{ApiError, ErrorCode};

/// How much work can wait before senders have to.
const QUEUE: usize = 4_096;
/// How much work shares one transaction at most.
const BATCH: usize = 256;
/// How long another process may hold the file.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How many prepared statements are kept.
const STATEMENTS: usize = 128;

/// What is still to do when the transaction's end is known.
type Finish = Box<dyn FnOnce(Result<(), ApiError>) + Send>;
/// Work on the database.
type Job = Box<dyn FnOnce(&Connection) -> Finish + Send>;

tokio::task_local! {
    /// Set where what is written has to be undone.
    static UNDONE: ();
}

/// Runs a request whose every write is done to its end and then undone: as if the process had died
/// between the last statement and the commit.
pub(crate) async fn undone<F: Future>(request: F) -> F::Output {
    UNDONE.scope((), request).await
}

/// A handle on the database. Clones share it; the last one to go closes it.
#[derive(Clone, Debug)]
pub(crate) struct Store(Way);

/// Who does the work.
#[derive(Clone, Debug)]
enum Way {
    Thread(mpsc::Sender<Job>),
    /// Whoever asks, in one transaction that is open all the time, so that it costs little to go back.
    Caller(Arc<Mutex<Connection>>),
}

impl Store {
    /// Opens the database, makes the tables that are missing, and starts its thread. `prepare` runs
    /// in the same transaction, before anything else.
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
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(tables)?;
        let prepared = prepare(&transaction);
        transaction.commit()?;

        if simulated {
            connection.execute_batch("BEGIN")?;
            return Ok((Self(Way::Caller(Arc::new(Mutex::new(connection)))), prepared));
        }
        let (jobs, queue) = mpsc::channel(QUEUE);
        std::thread::Builder::new()
            .name("remitkit-store".into())
            .spawn(move || serve(&mut connection, queue))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        Ok((Self(Way::Thread(jobs)), prepared))
    }

    /// In a simulation, keeps what is there as what [`Store::rewind`] brings back.
    pub(crate) fn keep(&self) -> Result<(), rusqlite::Error> {
        self.in_simulation("COMMIT; BEGIN")
    }

    /// In a simulation, undoes all that was done since [`Store::keep`].
    pub(crate) fn rewind(&self) -> Result<(), rusqlite::Error> {
        self.in_simulation("ROLLBACK; BEGIN")
    }

    fn in_simulation(&self, statements: &str) -> Result<(), rusqlite::Error> {
        match &self.0 {
            Way::Thread(_) => Ok(()),
            Way::Caller(connection) => {
                connection.lock().unwrap_or_else(PoisonError::into_inner).execute_batch(statements)
            }
        }
    }

    /// Runs `work` in a transaction. What it wrote is kept if it succeeds and undone if it fails.
    pub(crate) async fn write<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, ApiError> + Send + 'static,
    {
        let undone = UNDONE.try_with(|()| ()).is_ok();
        self.send(move |connection| {
            connection.prepare_cached("SAVEPOINT job")?.execute([])?;
            let mut outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
                .unwrap_or_else(|_| Err(ApiError::internal("a handler panicked")));
            if undone && outcome.is_ok() {
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

    /// Runs `work`, which only reads.
    pub(crate) async fn read<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, ApiError> + Send + 'static,
    {
        self.send(move |connection| {
            catch_unwind(AssertUnwindSafe(|| work(connection)))
                .unwrap_or_else(|_| Err(ApiError::internal("a handler panicked")))
        })
        .await
    }

    async fn send<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, ApiError> + Send + 'static,
    {
        let jobs = match &self.0 {
            Way::Thread(jobs) => jobs,
            Way::Caller(connection) => {
                return work(&connection.lock().unwrap_or_else(PoisonError::into_inner));
            }
        };
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let outcome = work(connection);
            Box::new(move |committed| {
                // Nobody waits when the caller has gone away; what was done stays done.
                let _ = answer.send(committed.and(outcome));
            })
        });
        // Also when the transaction could not begin, and the job was dropped unrun.
        let gone = || ApiError::unavailable("the database did not take the work");
        jobs.send(job).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

fn serve(connection: &mut Connection, mut queue: mpsc::Receiver<Job>) {
    let mut finishes: Vec<Finish> = Vec::with_capacity(BATCH);
    while let Some(first) = queue.blocking_recv() {
        let committed = batch(connection, first, &mut queue, &mut finishes);
        for finish in finishes.drain(..) {
            finish(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(ApiError::internal(format!("database: {error}"))),
            });
        }
    }
}

fn batch(
    connection: &mut Connection,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    finishes: &mut Vec<Finish>,
) -> Result<(), rusqlite::Error> {
    // IMMEDIATE, because a transaction that first reads and then wants to write can't wait for
    // another process's lock: it would fail instead.
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
