//! The questions of a finding are written into a file of the catalog.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Mutex;

use super::{Finding, Promoted, draft, promote};
use crate::catalog;
use crate::domain::{Place, Problem, Problems, replace_file};
use crate::eval::DatasetError;
use crate::pipeline::{Pipeline, PipelineError};

/// Where questions of readers stand, below the folder of the catalog.
pub const LIVE_FILE: &str = "live.yaml";

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The file, as the catalog names it.
    pub file: String,
    /// What became of the questions that were not there.
    pub promoted: Promoted,
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
    /// A question can not be searched at all.
    #[error(transparent)]
    Search(#[from] PipelineError),
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
/// so that no question stands there twice, and `whole`, which shows all sections, is asked first. The
/// folder and the file are made where they are missing.
///
/// # Errors
/// See [`FileError`]; the file is then as it was.
pub async fn file_questions(
    finding: &Finding,
    file: &Path,
    whole: &Arc<Pipeline>,
) -> Result<Filed, FileError> {
    // Who reads while another writes would lose what the other wrote.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());
    let _turn = ONE_AT_A_TIME.lock().await;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let existing = if folder.exists() { catalog::load(folder)? } else { Vec::new() };
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
    let text = match catalog::text(file, &name) {
        Ok(text) => text,
        Err(DatasetError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            String::new()
        }
        Err(error) => return Err(error.into()),
    };
    let draft = draft(finding, &existing, &name)?;
    let passing = draft.passing(whole).await?;
    let promoted = promote(&draft, &passing, &existing, &name, &text)?;
    if let Some(text) = &promoted.text {
        replace_file(file, text)
            .map_err(|source| FileError::Write { path: file.to_owned(), source })?;
    }
    Ok(Filed { file: name, promoted, known: draft.known })
}
