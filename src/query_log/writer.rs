//! Records → files, on a thread of its own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;
use time::{Date, OffsetDateTime};

use super::record::{Line, Record};
use crate::domain;

/// Records that may wait for the disk; a record takes about a kilobyte.
const QUEUE: usize = 4_096;
/// Records that are written with one call.
const BATCH: usize = 256;
/// How often days are changed, and losses told, where nothing is asked.
const TICK: Duration = Duration::from_secs(30);
const PREFIX: &str = "questions-";
const SUFFIX: &str = ".jsonl";

/// Why a log can not be kept.
#[derive(Debug, thiserror::Error)]
#[error("the question log can not be written to {}", path.display())]
pub struct WriteError {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// The question log.
pub type QueryLog = DailyLog<Record>;

/// An open log with a file a day. Records are written in the order in which they were handed over; what
/// waits is written before the log is dropped.
#[derive(Debug)]
pub struct DailyLog<R> {
    folder: PathBuf,
    queue: Option<SyncSender<R>>,
    lost: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl<R: Serialize + Send + 'static> DailyLog<R> {
    /// Opens the log in `folder`, which is made, and deletes the days that are too old.
    ///
    /// `days` is how many days are kept, today included; at least 1.
    ///
    /// # Errors
    /// The folder can not be made or written.
    pub fn open(folder: &Path, days: u32) -> Result<Self, WriteError> {
        Self::with_clock(folder, days, OffsetDateTime::now_utc)
    }

    fn with_clock(
        folder: &Path,
        days: u32,
        clock: impl Fn() -> OffsetDateTime + Send + 'static,
    ) -> Result<Self, WriteError> {
        let failed = |source| WriteError { path: folder.to_owned(), source };
        make_private(folder).map_err(failed)?;
        let mut files = Files { folder: folder.to_owned(), days, open: None };
        // Everything that can not work shall be told at the start.
        files.of(clock().date()).map_err(failed)?;
        let (queue, waiting) = sync_channel(QUEUE);
        let lost = Arc::new(AtomicU64::new(0));
        let thread = std::thread::Builder::new()
            .name("query-log".to_owned())
            .spawn({
                let lost = Arc::clone(&lost);
                move || keep(&waiting, &mut files, &lost, &clock)
            })
            .map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), queue: Some(queue), lost, thread: Some(thread) })
    }

    /// The folder of its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Hands a record over. Never waits: where the queue is full, the record is lost and counted.
    pub fn write(&self, record: R) {
        let taken = self.queue.as_ref().is_some_and(|queue| queue.try_send(record).is_ok());
        if !taken {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<R> Drop for DailyLog<R> {
    fn drop(&mut self) {
        // The thread ends when nobody can send any more and the queue is empty.
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A moment as `YYYY-MM-DDTHH:MM:SSZ`.
fn stamp(moment: OffsetDateTime) -> String {
    let (hours, minutes, seconds) = moment.to_hms();
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}Z", moment.date())
}

/// Writes until nobody can send any more.
fn keep<R: Serialize>(
    waiting: &Receiver<R>,
    files: &mut Files,
    lost: &AtomicU64,
    clock: &impl Fn() -> OffsetDateTime,
) {
    loop {
        let mut batch = Vec::new();
        let ended = match waiting.recv_timeout(TICK) {
            Ok(record) => {
                batch.push(record);
                batch.extend(waiting.try_iter().take(BATCH - 1));
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => true,
        };
        let count = lost.swap(0, Ordering::Relaxed);
        if count > 0 {
            tracing::warn!(count, "a log of questions lost records: the disk is too slow");
        }
        if let Err(error) = files.write(&batch, count, clock()) {
            // Said once a batch; what could not be written is said in the log when that works again.
            tracing::error!(error = %error, "a log of questions can not be written");
            lost.fetch_add(batch.len() as u64 + count, Ordering::Relaxed);
            files.open = None;
        }
        if ended {
            return;
        }
    }
}

/// The files of the log, the one of the present day open.
struct Files {
    folder: PathBuf,
    days: u32,
    open: Option<(Date, File)>,
}

impl Files {
    /// Adds records, and that so many were lost before.
    fn write<R: Serialize>(
        &mut self,
        records: &[R],
        lost: u64,
        moment: OffsetDateTime,
    ) -> io::Result<()> {
        let file = self.of(moment.date())?;
        let mut text = Vec::new();
        for record in records {
            serde_json::to_writer(&mut text, &Line { time: stamp(moment), record })?;
            text.push(b'\n');
        }
        if lost > 0 {
            let record = Record::Dropped { count: lost };
            serde_json::to_writer(&mut text, &Line { time: stamp(moment), record })?;
            text.push(b'\n');
        }
        // One call: in a file opened for appending, lines of two processes do not mix.
        file.write_all(&text)
    }

    /// The file of a day; where the day is new, what is too old goes.
    fn of(&mut self, day: Date) -> io::Result<&mut File> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != day) {
            self.forget(day)?;
            let path = self.folder.join(format!("{PREFIX}{day}{SUFFIX}"));
            let mut file = private(&path)?;
            close_torn_line(&mut file)?;
            self.open = Some((day, file));
        }
        let (_, file) = self.open.as_mut().expect("opened above");
        Ok(file)
    }

    /// Deletes the days that are over. Only names that this log gives are touched.
    fn forget(&self, today: Date) -> io::Result<()> {
        let before = time::Duration::days(i64::from(self.days.max(1) - 1));
        let oldest = today.saturating_sub(before);
        for (day, path) in days(&self.folder)? {
            if day < oldest {
                tracing::info!(day = %day, "a log of questions of this day is deleted");
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// The files of a log with their days, in the order of the days.
pub(super) fn days(folder: &Path) -> io::Result<Vec<(Date, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let day = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
        found.extend(day.and_then(domain::day).map(|day| (day, path.clone())));
    }
    found.sort();
    Ok(found)
}

/// A process that was killed while it wrote leaves half a line: the next one begins anew.
fn close_torn_line(file: &mut File) -> io::Result<()> {
    if file.metadata()?.len() == 0 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

/// A folder that only its owner may look into; one that exists stays as it is.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// A file for appending that only its owner may read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::query_log::{Feedback, Rating, read};

    fn outcome(id: usize) -> Record {
        Record::Outcome(Feedback::new(&format!("nr-{id}"), None, Rating::Clicked))
    }

    fn day(days: i64) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + time::Duration::days(days) + time::Duration::minutes(1)
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_handed_over_is_written_before_the_log_closes() {
        let folder = tempfile::tempdir().expect("a folder");
        let log =
            QueryLog::with_clock(&folder.path().join("a/b"), 30, || day(20_000)).expect("open");
        (0..1_000).for_each(|id| log.write(outcome(id)));
        drop(log);
        let file = folder.path().join("a/b/questions-2024-10-04.jsonl");
        let text = fs::read_to_string(&file).expect("written");
        assert_eq!(text.lines().count(), 1_000);
        let first = r#"{"time":"2024-10-04T00:01:00Z","kind":"outcome","request_id":"nr-0","rating":"clicked"}"#;
        assert_eq!(text.lines().next(), Some(first));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode =
                |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(&file), mode(file.parent().expect("a folder"))), (0o600, 0o700));
        }
    }

    #[test]
    fn moments_are_written_to_the_second() {
        let at = |seconds| OffsetDateTime::from_unix_timestamp(seconds).expect("a moment");
        assert_eq!(stamp(at(951_782_399)), "2000-02-28T23:59:59Z");
        assert_eq!(stamp(at(951_782_400)), "2000-02-29T00:00:00Z");
        let fraction = time::Duration::milliseconds(999);
        assert_eq!(stamp(at(1_796_038_496) + fraction), "2026-11-30T11:34:56Z");
    }

    #[test]
    fn old_days_are_deleted_and_nothing_else_is() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "questions-1970-01-02.jsonl",
            "questions-1970-01-03.jsonl",
            "questions-1970-01-04.jsonl",
            "questions-1970-01-01.jsonl.bak",
            "notizen-1970-01-01.jsonl",
            "questions-heute.jsonl",
        ] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        drop(QueryLog::with_clock(folder.path(), 2, || day(3)).expect("open"));
        let left = [
            "notizen-1970-01-01.jsonl",
            "questions-1970-01-01.jsonl.bak",
            "questions-1970-01-03.jsonl",
            "questions-1970-01-04.jsonl",
            "questions-heute.jsonl",
        ];
        assert_eq!(names(folder.path()), left);
    }

    #[test]
    fn a_new_day_begins_a_new_file_and_ends_an_old_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = Files { folder: folder.path().to_owned(), days: 2, open: None };
        for today in 1..=3 {
            files.write(&[outcome(1)], 0, day(today)).expect("written");
        }
        assert_eq!(
            names(folder.path()),
            ["questions-1970-01-03.jsonl", "questions-1970-01-04.jsonl"]
        );
    }

    #[test]
    fn half_a_line_of_a_killed_process_does_not_spoil_the_next_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("questions-1970-01-02.jsonl");
        fs::write(&file, "{\"time\":\"1970").expect("written");
        let mut files = Files { folder: folder.path().to_owned(), days: 2, open: None };
        files.write(&[outcome(1)], 0, day(1)).expect("written");
        let text = fs::read_to_string(&file).expect("there");
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().nth(1).expect("a line").contains("nr-1"));
        assert_eq!(read(folder.path()).expect("readable").damaged, 1);
    }

    #[test]
    fn a_full_queue_loses_records_says_so_and_never_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let gate = Arc::new(Mutex::new(()));
        let opened = Arc::new(AtomicU64::new(0));
        let clock = {
            let (gate, opened) = (Arc::clone(&gate), Arc::clone(&opened));
            move || {
                // The second call is the writer's: it waits as for a slow disk.
                if opened.fetch_add(1, Ordering::SeqCst) > 0 {
                    drop(gate.lock());
                }
                day(1)
            }
        };
        let closed = gate.lock().expect("a lock");
        let log = QueryLog::with_clock(folder.path(), 2, clock).expect("open");
        log.write(outcome(0));
        while opened.load(Ordering::SeqCst) < 2 {
            std::thread::yield_now();
        }
        (0..QUEUE + 500).for_each(|id| log.write(outcome(id)));
        drop(closed);
        drop(log);
        let text = fs::read_to_string(folder.path().join("questions-1970-01-02.jsonl"));
        let text = text.expect("written");
        let outcomes = text.lines().filter(|line| line.contains("outcome")).count();
        assert_eq!(outcomes, QUEUE + 1);
        assert!(text.contains(r#""kind":"dropped","count":500}"#), "{}", &text[text.len() - 200..]);
        assert_eq!(read(folder.path()).expect("readable").dropped, 500);
    }

    #[test]
    fn a_folder_that_can_not_be_made_is_told_at_the_start() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        let error = QueryLog::open(&file, 30).expect_err("a file is no folder");
        assert!(error.to_string().starts_with("the question log can not be written to"));
    }
}
