//! The questions of a finding are written into a file of the catalog.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Finding, Promoted, promote};
use crate::catalog;
use crate::domain::{Place, Problem, Problems, replace_file};
use crate::eval::DatasetError;

/// Where questions of readers stand, below the folder of the catalog.
pub const LIVE_FILE: &str = "live.yaml";

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The file, as the catalog names it.
    pub file: String,
    /// Ids of the new questions.
    pub added: Vec<String>,
    /// Questions of the finding that stood in the catalog already.
    pub known: usize,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The catalog has problems, or the finding's questions can not be added to the file.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// A file of the catalog can not be read.
    #[error("{} can not be read", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file can not be written.
    #[error("{} can not be written", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl From<DatasetError> for FileError {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::Problems(problems) => Self::Problems(problems),
            DatasetError::Read { path, source } => Self::Read { path, source },
        }
    }
}

/// Adds the questions of a finding to `file`, see [`promote`]; the other files of its folder are read,
/// so that no question stands there twice. The folder and the file are made where they are missing.
///
/// # Errors
/// See [`FileError`]; the file is then as it was.
pub fn file_questions(finding: &Finding, file: &Path) -> Result<Filed, FileError> {
    // Who reads while another writes would lose what the other wrote.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(FileError::Read { path: file.to_owned(), source }),
    };
    let own_name = file.file_name().ok_or_else(|| {
        Problems::from(Problem {
            place: Place::start_of(file.display().to_string()),
            code: "catalog-file-unnamed",
            message: "this names no file".to_owned(),
            mend: "name a file of the catalog, for example `catalog/live.yaml`".to_owned(),
        })
    })?;
    // As `catalog::load` names it, so that the file's own questions are known by it.
    let name = folder.join(own_name).display().to_string().replace('\\', "/");
    let Promoted { text, added, known } = promote(finding, &existing, &name, &text)?;
    if let Some(text) = text {
        replace_file(file, &text)
            .map_err(|source| FileError::Write { path: file.to_owned(), source })?;
    }
    Ok(Filed { file: name, added, known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gaps::{Action, Code, Evidence, Mend, Severity, Subject};

    fn finding(question: &str) -> Finding {
        let asked = Evidence::Question {
            id: None,
            text: question.to_owned(),
            count: 2,
            outcome: "ohne Antwort".to_owned(),
        };
        let mend = Mend::new(Action::NewSection, "Schreiben.");
        Finding::new(Code::Unanswered, Severity::Error, Subject::term("LRS"), "Fehlt.", mend)
            .because([asked])
    }

    #[test]
    fn what_several_write_at_once_is_all_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("katalog").join(LIVE_FILE);
        std::thread::scope(|scope| {
            for at in 0..8 {
                let file = &file;
                scope.spawn(move || {
                    let filed = file_questions(&finding(&format!("Was ist LRS {at}?")), file);
                    assert_eq!(filed.expect("written").added.len(), 1);
                });
            }
        });
        let questions = catalog::load(&folder.path().join("katalog")).expect("sound");
        assert_eq!(questions.len(), 8);
        let again = file_questions(&finding("was ist lrs 3"), &file).expect("nothing to do");
        assert_eq!((again.added.len(), again.known), (0, 1));
        assert!(again.file.ends_with("katalog/live.yaml"), "{}", again.file);
    }

    #[test]
    fn a_catalog_with_problems_is_not_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.yaml"), "questions:\n  - {id: x}\n").expect("written");
        let file = folder.path().join(LIVE_FILE);
        let refused = file_questions(&finding("Was ist LRS?"), &file);
        assert!(matches!(refused, Err(FileError::Problems(_))), "{refused:?}");
        assert!(!file.exists());
    }
}
