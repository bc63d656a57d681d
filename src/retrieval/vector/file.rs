//! The vectors on disk: a usearch file and a JSON beside it.
//!
//! usearch trusts what it loads, and it takes over dimension and number
//! format of the file without a word. So the JSON holds a checksum, and nothing reaches usearch that
//! this program did not write.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use usearch::{Index, IndexOptions, MetricKind, ScalarKind};

use super::{VectorError, usearch};
use crate::domain::Vector;

/// Raised when the files change in a way that an older program would misread.
const FORMAT: u32 = 1;

/// Searches that may run in usearch at once; more of them compare all vectors instead.
const THREADS: usize = 64;

/// What is known about the usearch file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    format: u32,
    dimension: usize,
    /// SHA-256 of the usearch file in hex.
    sha256: String,
    /// Section of each vector, ascending; the vector's key is its position here.
    ordinals: Vec<u32>,
}

/// A usearch index that is what it should be, and the sections of its keys.
pub(super) struct Loaded {
    pub(super) index: Index,
    pub(super) ordinals: Vec<u32>,
}

pub(super) fn write(
    path: &Path,
    dimension: usize,
    sorted: &[&(u32, Vector)],
) -> Result<(), VectorError> {
    let index = Index::new(&options(dimension)).map_err(usearch)?;
    index.reserve_capacity_and_threads(sorted.len().max(1), 1).map_err(usearch)?;
    // On one thread and in order: the graph depends on it.
    for (row, (_, vector)) in sorted.iter().enumerate() {
        index.add(row as u64, vector.values()).map_err(usearch)?;
    }
    let mut bytes = vec![0; index.serialized_length()];
    index.save_to_buffer(&mut bytes).map_err(usearch)?;
    let description = Description {
        format: FORMAT,
        dimension,
        sha256: checksum(&bytes),
        ordinals: sorted.iter().map(|(ordinal, _)| *ordinal).collect(),
    };
    let description = serde_json::to_vec(&description).expect("plain data");
    store(path, &bytes)?;
    store(&beside(path), &description)
}

pub(super) fn read(path: &Path, dimension: usize, expected: usize) -> Result<Loaded, VectorError> {
    let unfit = |what: String| VectorError::Unfit { path: path.to_owned(), what };
    let description: Description = serde_json::from_slice(&load(&beside(path))?)
        .map_err(|e| unfit(format!("its description is damaged ({e})")))?;
    if description.format != FORMAT {
        return Err(unfit(format!("its format is {}, not {FORMAT}", description.format)));
    }
    if description.dimension != dimension {
        return Err(unfit(format!("it has {} dimensions, not {dimension}", description.dimension)));
    }
    let ordinals = description.ordinals;
    if ordinals.len() != expected {
        return Err(unfit(format!("it holds {} vectors, not {expected}", ordinals.len())));
    }
    if !ordinals.is_sorted() {
        return Err(unfit("its description is not sorted".to_owned()));
    }
    let bytes = load(path)?;
    if checksum(&bytes) != description.sha256 {
        return Err(unfit("its checksum is wrong".to_owned()));
    }
    let index = Index::new(&options(dimension)).map_err(usearch)?;
    index.load_from_buffer(&bytes).map_err(usearch)?;
    // usearch takes these over from the file; another version may have other defaults.
    let same = index.dimensions() == dimension
        && index.scalar_kind() == ScalarKind::F32
        && index.metric_kind() == MetricKind::Cos
        && !index.multi()
        && index.size() == expected;
    if !same {
        return Err(unfit("it is of another kind than it should be".to_owned()));
    }
    // Loading forgets the threads, and a search without a reserved one fails.
    index.reserve_capacity_and_threads(expected.max(1), THREADS).map_err(usearch)?;
    Ok(Loaded { index, ordinals })
}

/// f32 and not smaller: it holds the vectors bit for bit, and i8 lost a sixth of the neighbours.
fn options(dimension: usize) -> IndexOptions {
    IndexOptions {
        dimensions: dimension,
        metric: MetricKind::Cos,
        quantization: ScalarKind::F32,
        connectivity: 16,
        expansion_add: 128,
        expansion_search: 64,
        multi: false,
    }
}

fn checksum(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes everything");
        text
    })
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

fn store(path: &Path, bytes: &[u8]) -> Result<(), VectorError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|source| VectorError::Io { path: path.to_owned(), source })
}

fn load(path: &Path) -> Result<Vec<u8>, VectorError> {
    fs::read(path).map_err(|source| VectorError::Io { path: path.to_owned(), source })
}
