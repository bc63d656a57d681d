//! The last runs of the catalog, each a file below the data folder.
//!
//! Three lines of JSON: what a list shows of it, what the next run is compared with, and the rest. A
//! list reads the first lines only.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::access::Audiences;
use crate::catalog::{Baseline, Diff, Outcome, Run};

/// Runs that are kept, over all callers: three weeks of a run a workday and one by hand.
const MOST_KEPT: usize = 30;
/// A figure that falls by more than this has fallen; the default of `wegweiser catalog diff`.
const TOLERANCE: f64 = 0.01;

/// What a list shows of a run, and who may see it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) id: String,
    /// When it ended, RFC 3339 in UTC.
    pub(super) finished: String,
    pub(super) summary: Value,
    /// Whose view of the compendium was asked.
    pub(super) view: Audiences,
    /// Sections that it names.
    pub(super) sections: BTreeSet<String>,
}

/// Everything else.
#[derive(Serialize)]
struct Rest<'a> {
    questions: &'a [Outcome],
    compared_with: Option<&'a str>,
    diff: Option<Diff>,
}

/// The folder of the runs.
#[derive(Debug, Clone)]
pub(super) struct RunFiles {
    folder: PathBuf,
}

impl RunFiles {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The runs of a view, newest first. A file that is no run is passed over.
    pub(super) fn list(&self, view: &Audiences) -> io::Result<Vec<Head>> {
        let mut heads = Vec::new();
        for id in self.ids()?.iter().rev() {
            let mut line = String::new();
            let read = fs::File::open(self.path(id))
                .and_then(|file| BufReader::new(file).read_line(&mut line));
            let head = read.ok().and_then(|_| serde_json::from_str::<Head>(&line).ok());
            heads.extend(head.filter(|head| head.view == *view));
        }
        Ok(heads)
    }

    /// A run of a view with everything, as the text of the members that follow its head.
    pub(super) fn get(&self, view: &Audiences, id: &str) -> io::Result<Option<(Head, String)>> {
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_ascii_digit() || c == '-');
        if !is_id || id.len() > 40 {
            return Ok(None);
        }
        let text = match fs::read_to_string(self.path(id)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok());
        let rest = lines.nth(1).map(ToOwned::to_owned);
        Ok(head.filter(|head| head.view == *view).zip(rest))
    }

    /// Keeps a run, compared with the one before it of the same view, and lets the oldest go.
    pub(super) fn add(&self, view: Audiences, run: &Run, now: OffsetDateTime) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let before = self.list(&view)?.into_iter().next();
        let base = before.as_ref().and_then(|head| self.baseline(&head.id));
        let diff = base.map(|base| Diff::new(&base, run, TOLERANCE));
        let id = self.free(now);
        let finished = now.replace_nanosecond(0).ok().and_then(|now| now.format(&Rfc3339).ok());
        let head = Head {
            id: id.clone(),
            finished: finished.unwrap_or_default(),
            summary: serde_json::to_value(&run.summary)?,
            view,
            sections: named(run),
        };
        let compared_with =
            diff.as_ref().and(before.as_ref()).map(|before| before.finished.as_str());
        let rest = Rest { questions: &run.questions, compared_with, diff };
        let text = format!(
            "{}\n{}\n{}\n",
            serde_json::to_string(&head)?,
            serde_json::to_string(&Baseline::of(run))?,
            serde_json::to_string(&rest)?
        );
        // Written aside: a list never meets half a run.
        let mut file = tempfile(&self.folder, &id)?;
        file.0.write_all(text.as_bytes())?;
        file.0.sync_all()?;
        fs::rename(&file.1, self.path(&id))?;
        let ids = self.ids()?;
        for old in ids.iter().take(ids.len().saturating_sub(MOST_KEPT)) {
            fs::remove_file(self.path(old))?;
        }
        Ok(())
    }

    fn baseline(&self, id: &str) -> Option<Baseline> {
        let text = fs::read_to_string(self.path(id)).ok()?;
        text.lines().nth(1).and_then(|line| serde_json::from_str(line).ok())
    }

    /// Ids, oldest first.
    fn ids(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut ids = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            ids.extend(
                name.to_str().and_then(|name| name.strip_suffix(".json")).map(str::to_owned),
            );
        }
        ids.sort();
        Ok(ids)
    }

    /// An id that sorts by time and is not taken.
    fn free(&self, now: OffsetDateTime) -> String {
        let (date, time) = (now.date(), now.time());
        let moment = format!(
            "{:04}{:02}{:02}-{:02}{:02}{:02}",
            date.year(),
            u8::from(date.month()),
            date.day(),
            time.hour(),
            time.minute(),
            time.second()
        );
        let mut ids = (0..).map(|at| format!("{moment}-{at:03}"));
        ids.find(|id| !self.path(id).exists()).expect("there are more numbers than files")
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn tempfile(folder: &std::path::Path, id: &str) -> io::Result<(fs::File, PathBuf)> {
    let beside = folder.join(format!("{id}.{}.new", std::process::id()));
    Ok((fs::File::create(&beside)?, beside))
}

/// Sections that a run names.
fn named(run: &Run) -> BTreeSet<String> {
    let of_question = |outcome: &Outcome| {
        let rivals = outcome.findings.iter().filter_map(|finding| finding.rival.as_ref());
        let found = outcome.first.iter().chain(rivals).map(|found| found.section.clone());
        outcome.expected.iter().cloned().chain(found).collect::<Vec<_>>()
    };
    run.questions.iter().flat_map(of_question).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_listed_newest_first_bounded_and_for_their_view_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = RunFiles::new(folder.path().join("runs"));
        let run = Run::new(Vec::new());
        let moment = OffsetDateTime::UNIX_EPOCH;
        assert!(files.list(&Audiences::All).expect("nothing yet").is_empty());
        files.add(Audiences::public(), &run, moment).expect("kept");
        for _ in 0..MOST_KEPT {
            files.add(Audiences::All, &run, moment).expect("kept");
        }
        let all = files.list(&Audiences::All).expect("a list");
        assert_eq!(all.len(), MOST_KEPT);
        assert_eq!(all[0].id, format!("19700101-000000-{MOST_KEPT:03}"));
        assert!(files.list(&Audiences::public()).expect("a list").is_empty(), "the oldest went");
        let (head, rest) = files.get(&Audiences::All, &all[0].id).expect("read").expect("there");
        assert_eq!(head.finished, "1970-01-01T00:00:00Z");
        assert!(rest.contains("\"compared_with\":\"1970-01-01T00:00:00Z\""), "{rest}");
        assert!(files.get(&Audiences::public(), &all[0].id).expect("read").is_none());
    }

    #[test]
    fn an_id_is_no_path_and_a_broken_file_is_no_run() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("secret.json"), "{}").expect("written");
        fs::write(folder.path().join("20260101-000000-000.json"), "{\"id\":").expect("written");
        let files = RunFiles::new(folder.path().join("runs"));
        for id in ["../secret", "..", "", "secret", "-/../../secret", "\0"] {
            assert!(files.get(&Audiences::All, id).expect("no error").is_none(), "{id}");
        }
        let files = RunFiles::new(folder.path().to_owned());
        assert!(files.list(&Audiences::All).expect("a list").is_empty());
        assert!(files.get(&Audiences::All, "20260101-000000-000").expect("read").is_none());
    }
}
