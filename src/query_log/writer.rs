//! Records → files, on a thread of its own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::IgnoredAny;
use time::{Date, OffsetDateTime};

use super::record::{Line, Record};
use crate::domain;

/// Records that may wait for the disk; a record takes about a kilobyte.
const QUEUE: usize = 4_096;
/// Records that are written with one call.
const BATCH: usize = 256;
/// How often days are changed, and losses told, where nothing is asked.
const TICK: Duration = Duration::from_secs(30);
/// Losses are told once in so long a time.
const QUIET: Duration = Duration::from_mins(5);
/// Bytes that are read at once, from the end of a file on.
const BLOCK: u64 = 64 * 1024;
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
    let (mut unwritten, mut slow) = (Losses::default(), Losses::default());
    // Said in the log when that works again.
    let mut unsaid = 0;
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
        let overflown = lost.swap(0, Ordering::Relaxed);
        unsaid += overflown;
        slow.add(overflown);
        match files.write(&batch, unsaid, clock()) {
            Ok(()) => unsaid = 0,
            Err(Unwritten { records, error }) => {
                unsaid += records;
                // What waited too long meanwhile is lost for the same reason.
                unwritten.add(records + slow.take());
                unwritten.reason = Some(error);
                files.open = None;
            }
        }
        let (now, folder) = (Instant::now(), files.folder.display());
        if let Some((count, reason)) = unwritten.due(now, ended) {
            let error = reason.map(tracing::field::display);
            tracing::error!(%folder, count, error, "a log of questions could not be written, records are lost");
        }
        if let Some((count, _)) = slow.due(now, ended) {
            tracing::warn!(%folder, count, "a log of questions lost records: the disk is too slow");
        }
        if ended {
            return;
        }
    }
}

/// Lost records that nobody was told of yet.
#[derive(Debug, Default)]
struct Losses {
    count: u64,
    reason: Option<io::Error>,
    told: Option<Instant>,
}

impl Losses {
    fn add(&mut self, count: u64) {
        self.count += count;
    }

    fn take(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }

    /// What is to be told now: nothing within [`QUIET`] after the last time, unless it is the last chance.
    fn due(&mut self, now: Instant, last: bool) -> Option<(u64, Option<io::Error>)> {
        let quiet = self.told.is_some_and(|told| now.saturating_duration_since(told) < QUIET);
        if (self.count == 0 && self.reason.is_none()) || (quiet && !last) {
            return None;
        }
        self.told = Some(now);
        Some((self.take(), self.reason.take()))
    }
}

/// Why records are not in the file, and how many.
#[derive(Debug)]
struct Unwritten {
    records: u64,
    error: io::Error,
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
    ) -> Result<(), Unwritten> {
        let all = records.len() as u64;
        let none = |error| Unwritten { records: all, error };
        let mut text = Vec::new();
        for record in records {
            line(&mut text, moment, record).map_err(none)?;
        }
        if lost > 0 {
            line(&mut text, moment, &Record::Dropped { count: lost }).map_err(none)?;
        }
        let file = self.of(moment.date()).map_err(none)?;
        append(file, &text).map_err(|(lines, error)| {
            // Makes a file shorter: that needs no space. What fails here is mended when it is opened.
            let _ = cut_torn_line(file);
            Unwritten { records: all.saturating_sub(lines), error }
        })
    }

    /// The file of a day; where the day is new, what is too old goes.
    fn of(&mut self, day: Date) -> io::Result<&mut File> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != day) {
            self.forget(day)?;
            let path = self.folder.join(format!("{PREFIX}{day}{SUFFIX}"));
            let mut file = private(&path)?;
            mend_torn_line(&mut file)?;
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

/// A record as a line.
fn line<R: Serialize>(text: &mut Vec<u8>, moment: OffsetDateTime, record: &R) -> io::Result<()> {
    serde_json::to_writer(&mut *text, &Line { time: stamp(moment), record })?;
    text.push(b'\n');
    Ok(())
}

/// Writes lines with as few calls as the disk allows, commonly one: in a file opened for appending,
/// lines of two processes do not mix then. Where that fails: how many whole lines are written.
fn append(file: &mut impl io::Write, text: &[u8]) -> Result<(), (u64, io::Error)> {
    let mut rest = text;
    while !rest.is_empty() {
        let error = match file.write(rest) {
            Ok(0) => io::ErrorKind::WriteZero.into(),
            Ok(written) => {
                rest = &rest[written..];
                continue;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        let written = &text[..text.len() - rest.len()];
        return Err((written.split(|byte| *byte == b'\n').count() as u64 - 1, error));
    }
    Ok(())
}

/// The regular files of a log with their days, in the order of the days.
pub(super) fn days(folder: &Path) -> io::Result<Vec<(Date, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // A pipe would be waited for; a link is what it leads to.
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let day = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
        found.extend(day.and_then(domain::day).map(|day| (day, path.clone())));
    }
    found.sort();
    Ok(found)
}

/// A process that was killed while it wrote leaves half a line, which goes. A whole record that
/// only lacks its end of line stays.
fn mend_torn_line(file: &mut File) -> io::Result<()> {
    let (start, length) = (last_line(file)?, file.metadata()?.len());
    if start == length {
        return Ok(());
    }
    file.seek(SeekFrom::Start(start))?;
    let whole = serde_json::from_reader::<_, IgnoredAny>(io::BufReader::new(&*file)).is_ok();
    if whole { file.write_all(b"\n") } else { cut_torn_line(file) }
}

fn cut_torn_line(file: &mut File) -> io::Result<()> {
    let start = last_line(file)?;
    if start < file.metadata()?.len() { file.set_len(start) } else { Ok(()) }
}

/// Where the line begins that has no end yet; the end of the file where there is none.
fn last_line(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        block.clear();
        io::Read::by_ref(file).take(end - start).read_to_end(&mut block)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
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
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("nr-1"));
        // Longer than a block, behind whole lines; and a whole record without its end of line.
        fs::write(&file, format!("{text}{text}{{\"x\":\"{}", "y".repeat(200_000)))
            .expect("written");
        drop(QueryLog::with_clock(folder.path(), 2, || day(1)).expect("open"));
        assert_eq!(fs::read_to_string(&file).expect("there"), format!("{text}{text}"));
        fs::write(&file, format!("{text}{}", text.trim_end())).expect("written");
        drop(QueryLog::with_clock(folder.path(), 2, || day(1)).expect("open"));
        assert_eq!(fs::read_to_string(&file).expect("there"), format!("{text}{text}"));
    }

    /// Takes so many bytes in all.
    struct Disk {
        space: usize,
        taken: Vec<u8>,
    }

    impl io::Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.space);
            if fits == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.space -= fits;
            self.taken.extend(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_a_full_disk_took_counts_as_written_by_whole_lines() {
        for (space, lines) in [(0, 0), (3, 0), (4, 1), (11, 2)] {
            let mut disk = Disk { space, taken: Vec::new() };
            let (written, error) = append(&mut disk, b"111\n222\n333\n").expect_err("full");
            assert_eq!((written, error.kind()), (lines, io::ErrorKind::StorageFull), "{space}");
        }
        let mut disk = Disk { space: 12, taken: Vec::new() };
        append(&mut disk, b"111\n222\n333\n").expect("it fits");
        assert_eq!(disk.taken, b"111\n222\n333\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_counted_and_the_log_goes_on_when_there_is_space() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("questions-1970-01-02.jsonl");
        std::os::unix::fs::symlink("/dev/full", &file).expect("a link");
        let mut files = Files { folder: folder.path().to_owned(), days: 2, open: None };
        let failed = files.write(&[outcome(1), outcome(2)], 3, day(1)).expect_err("full");
        assert_eq!((failed.records, failed.error.kind()), (2, io::ErrorKind::StorageFull));
        files.open = None;
        fs::remove_file(&file).expect("removed");
        files.write(&[outcome(3)], 5, day(1)).expect("written");
        let read = read(folder.path()).expect("readable");
        assert_eq!((read.dropped, read.orphans, read.damaged), (5, 1, 0));
    }

    #[test]
    fn losses_are_told_once_in_five_minutes_with_their_number_and_reason() {
        let start = Instant::now();
        let mut losses = Losses::default();
        assert!(losses.due(start, false).is_none(), "nothing was lost");
        let told = |losses: &mut Losses, seconds, last| {
            let due = losses.due(start + Duration::from_secs(seconds), last);
            due.map(|(count, reason)| (count, reason.map(|error| error.kind())))
        };
        let full = || Some(io::Error::from(io::ErrorKind::StorageFull));
        losses.add(1);
        losses.reason = full();
        assert_eq!(told(&mut losses, 0, false), Some((1, Some(io::ErrorKind::StorageFull))));
        for second in 1..300 {
            losses.add(2);
            losses.reason = full();
            assert_eq!(told(&mut losses, second, false), None);
        }
        assert_eq!(told(&mut losses, 300, false), Some((598, Some(io::ErrorKind::StorageFull))));
        assert_eq!(told(&mut losses, 900, false), None, "nothing was lost since");
        losses.add(4);
        assert_eq!(told(&mut losses, 900, false), Some((4, None)));
        losses.add(1);
        assert_eq!(told(&mut losses, 901, true), Some((1, None)), "the last chance");
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
