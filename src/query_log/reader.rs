//! Files → questions with their outcomes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::record::{Asked, Feedback, Line, Rating, Record};
use super::writer::days;
use crate::domain::{Audiences, InvalidQuery, Query};

/// Longest line in bytes: a question of 20,000 characters with its answer fits.
const LONGEST: u64 = 256 * 1024;
/// Characters of a question at most, as a query counts them: a longer one was never answered.
pub const LONGEST_QUESTION: usize = 20_000;

/// Why a log can not be read.
#[derive(Debug, thiserror::Error)]
#[error("the question log {} can not be read", path.display())]
pub struct LogError {
    path: PathBuf,
    #[source]
    source: io::Error,
}

/// A log as it was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    /// The questions in their order.
    pub entries: Vec<Entry>,
    /// Lines that are no records: torn by a killed process, or not of this log, or with a
    /// question that is none.
    pub damaged: usize,
    /// Records that were lost because the disk was full or too slow.
    pub dropped: u64,
    /// Outcomes without a question in the log.
    pub orphans: usize,
}

impl Log {
    /// The sets of audiences that questions were asked with.
    pub fn audiences(&self) -> BTreeSet<&Audiences> {
        self.entries.iter().map(|entry| &entry.asked.audiences).collect()
    }
}

/// A question with what readers made of its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Question and answer.
    pub asked: Asked,
    /// What readers made of it, in their order.
    pub outcomes: Vec<Feedback>,
}

impl Entry {
    /// Whether a reader gave this rating to the answer or to one of its sections.
    pub fn is_rated(&self, rating: Rating) -> bool {
        self.outcomes.iter().any(|outcome| outcome.rating == rating)
    }
}

/// Reads a folder with the files of all its days, or one file.
///
/// # Errors
/// A file or the folder can not be read, or it is neither: a pipe would be waited for without end. Damaged lines are counted and left out.
pub fn read(path: &Path) -> Result<Log, LogError> {
    let failed = |path: &Path, source| LogError { path: path.to_owned(), source };
    let files = files(path).map_err(|source| failed(path, source))?;
    let mut log = Log::default();
    // Numbers of requests begin anew with every process: an outcome belongs to the latest question.
    let mut latest: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let read = lines(&file, |line| match serde_json::from_slice::<Line<Record>>(line) {
            Ok(Line { record: Record::Question(asked), .. }) if is_too_long(&asked.question) => {
                log.damaged += 1;
            }
            Ok(Line { record: Record::Question(asked), .. }) => {
                latest.insert(asked.request_id.clone(), log.entries.len());
                log.entries.push(Entry { asked, outcomes: Vec::new() });
            }
            Ok(Line { record: Record::Outcome(outcome), .. }) => {
                match latest.get(&outcome.request_id) {
                    Some(at) => log.entries[*at].outcomes.push(outcome),
                    None => log.orphans += 1,
                }
            }
            Ok(Line { record: Record::Dropped { count }, .. }) => log.dropped += count,
            Err(_) => log.damaged += 1,
        });
        read.map_err(|source| failed(&file, source))?;
    }
    Ok(log)
}

/// Bytes of a log, a folder or one file: they differ where records came or days went.
///
/// # Errors
/// The folder can not be read.
pub fn size(path: &Path) -> Result<u64, LogError> {
    let failed = |source| LogError { path: path.to_owned(), source };
    let files = files(path).map_err(failed)?;
    // A day that is deleted meanwhile counts nothing.
    let length = |file: &PathBuf| file.metadata().map_or(0, |metadata| metadata.len());
    Ok(files.iter().map(length).sum())
}

/// The files of a folder's days, or one file.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Ok(days(path)?.into_iter().map(|(_, file)| file).collect());
    }
    if kind.is_file() {
        Ok(vec![path.to_owned()])
    } else {
        Err(io::Error::other("no regular file"))
    }
}

/// Whether a question can be no query. Bytes are never fewer than characters.
fn is_too_long(question: &str) -> bool {
    let too_long =
        || matches!(Query::new(question, LONGEST_QUESTION), Err(InvalidQuery::TooLong { .. }));
    // The longest character is taken apart into 18.
    question.len() > LONGEST_QUESTION / 18 && too_long()
}

/// Every line that is not blank; of a line that is too long only its beginning.
fn lines(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if read as u64 == LONGEST && !line.ends_with(b"\n") {
            skip_line(&mut reader)?;
        }
        if !line.trim_ascii().is_empty() {
            each(&line);
        }
    }
}

fn skip_line(reader: &mut impl io::BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (taken, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(taken);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &str = r#"{"time":"2026-11-30T10:00:00Z","kind":"question","request_id":"1-1","question":"Was ist neu?","intent":"unknown","source":"default","groups":[],"answerable":false,"confidence":0.1,"hits":["a#b"]}"#;
    const HELPFUL: &str = r#"{"time":"2026-11-30T10:00:09Z","kind":"outcome","request_id":"1-1","section":"a#b","rating":"helpful"}"#;

    fn log(text: &[u8]) -> Log {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("log.jsonl");
        fs::write(&file, text).expect("written");
        read(&file).expect("readable")
    }

    #[test]
    fn outcomes_join_the_latest_question_of_their_number() {
        let text = [QUESTION, HELPFUL, QUESTION, HELPFUL, HELPFUL].join("\n");
        let read = log(text.as_bytes());
        let counts: Vec<usize> = read.entries.iter().map(|entry| entry.outcomes.len()).collect();
        assert_eq!(counts, [1, 2]);
        assert!(read.entries[0].is_rated(Rating::Helpful));
        assert!(!read.entries[0].is_rated(Rating::Unhelpful));
        assert_eq!(log(HELPFUL.as_bytes()).orphans, 1);
    }

    #[test]
    fn who_could_see_what_is_kept_and_a_line_without_it_is_of_somebody_who_sees_everything() {
        let with = |audiences: &str| QUESTION.replace("\"hits\"", &format!("{audiences},\"hits\""));
        let public = with(r#""audiences":{"only":[]}"#);
        let staff = with(r#""audiences":{"only":["personal","leitung"]}"#);
        let text = [QUESTION, &public, &staff, &with(r#""audiences":"all""#)].join("\n");
        let read = log(text.as_bytes());
        let seen: Vec<String> =
            read.entries.iter().map(|entry| entry.asked.audiences.to_string()).collect();
        assert_eq!(seen, ["all", "public", "leitung, personal", "all"]);
        assert_eq!(read.audiences().len(), 3);
        let wrong = log(with(r#""audiences":"alle""#).as_bytes());
        assert_eq!((wrong.entries.len(), wrong.damaged), (0, 1), "never taken for somebody else's");
    }

    #[test]
    fn hostile_lines_are_counted_and_do_no_harm() {
        let deep = "[".repeat(100_000);
        let long = format!("{{\"kind\":\"question\",\"x\":\"{}\"}}", "y".repeat(1_000_000));
        let torn = &QUESTION[..60];
        let text = [QUESTION, &deep, &long, "{}", "null", "\u{0}", HELPFUL, "", torn].join("\n");
        let mut bytes = b"\xff\xfe\n".to_vec();
        bytes.extend(text.as_bytes());
        let read = log(&bytes);
        assert_eq!((read.entries.len(), read.damaged), (1, 7));
        assert_eq!(read.entries[0].outcomes.len(), 1);
    }

    #[test]
    fn a_question_that_no_query_may_hold_is_damage_and_its_outcomes_have_no_question() {
        let with = |question: &str| QUESTION.replace("Was ist neu?", question);
        let most = "ä".repeat(LONGEST_QUESTION);
        // One character, 18 letters.
        let ligatures = "\u{fdfa}".repeat(LONGEST_QUESTION / 18 + 1);
        let long = ["a".repeat(240_000), format!("{most}ä"), ligatures];
        let read = log(with(&most).as_bytes());
        assert_eq!((read.entries.len(), read.damaged), (1, 0));
        for long in long {
            let read = log([with(&long).as_str(), HELPFUL].join("\n").as_bytes());
            assert_eq!((read.entries.len(), read.damaged, read.orphans), (0, 1, 1));
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let socket = std::os::unix::net::UnixListener::bind(path("questions-2026-11-29.jsonl"));
        socket.expect("a socket");
        fs::create_dir(path("questions-2026-11-28.jsonl")).expect("a folder");
        let pipe = path("questions-2026-11-27.jsonl");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        fs::write(path("questions-2026-11-30.jsonl"), QUESTION).expect("written");
        assert_eq!(read(folder.path()).expect("readable").entries.len(), 1);
        assert_eq!(size(folder.path()).expect("readable"), QUESTION.len() as u64);
        let error = read(&pipe).expect_err("a pipe");
        assert_eq!(crate::domain::chain(&error).matches("no regular file").count(), 1);
    }

    #[test]
    fn a_folder_is_read_day_by_day() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |day: &str, text: &str| {
            let name = format!("questions-{day}.jsonl");
            fs::write(folder.path().join(name), format!("{text}\n")).expect("written");
        };
        write("2026-12-01", HELPFUL);
        write("2026-11-30", QUESTION);
        fs::write(folder.path().join("andere.jsonl"), QUESTION).expect("written");
        let read = read(folder.path()).expect("readable");
        assert_eq!((read.entries.len(), read.orphans), (1, 0));
        assert_eq!(read.entries[0].outcomes.len(), 1);
    }

    #[test]
    fn what_does_not_exist_is_told() {
        let error = read(Path::new("/nowhere/log")).expect_err("nothing there");
        assert!(error.to_string().contains("/nowhere/log"));
    }
}
