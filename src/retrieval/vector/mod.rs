//! The vector channel: sections by the cosine of their best window.
//!
//! usearch keeps the vectors on disk and finds candidates among many of them; every score that
//! leaves this module is an exact cosine, so that few or many vectors, filtered or not, give the
//! same numbers. The measurements behind the limits are in decision 0003.

mod file;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use usearch::Index;

use crate::domain::{Allowed, Vector, dot};

/// Up to so many vectors are compared one by one: exact, and about as fast as the graph (0.05 ms
/// for a thousand; the graph takes 0.3 ms at ten thousand).
const MOST_SCANNED: usize = 8_192;

/// Below this share of allowed sections the graph would visit mostly forbidden ones.
const LEAST_ALLOWED_SHARE: f64 = 0.25;

/// Why the vectors can not be searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// A vector of another model, most likely.
    #[error(
        "the vector has {found} dimensions, the index has {expected}; build the index with the model in use"
    )]
    Dimension {
        /// Dimensions of the index.
        expected: usize,
        /// Dimensions of the vector.
        found: usize,
    },
    /// The files are damaged, incomplete, or of something else.
    #[error("{path} can not be used: {what}; build the index again")]
    Unfit {
        /// Vector file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// The disk said no.
    #[error("{path} could not be read or written")]
    Io {
        /// Vector file, or the one beside it.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// usearch said no.
    #[error("usearch failed")]
    Usearch(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Unit vectors by section ordinal, several for a section that has several windows.
pub struct VectorStore {
    dimension: usize,
    /// All vectors, one after the other, by section.
    rows: Vec<f32>,
    /// Section of each row, ascending.
    ordinals: Vec<u32>,
    /// Each section with its rows, ascending.
    sections: Vec<(u32, Range<usize>)>,
    /// Only where there are too many rows to compare them all.
    graph: Option<Index>,
}

impl fmt::Debug for VectorStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorStore")
            .field("dimension", &self.dimension)
            .field("vectors", &self.ordinals.len())
            .field("sections", &self.sections.len())
            .field("graph", &self.graph.is_some())
            .finish_non_exhaustive()
    }
}

impl VectorStore {
    /// Writes `path` and, beside it, a `.json` with its checksum; both are on the disk on return.
    ///
    /// The vectors of a section keep their order; sections may come in any. Equal input gives
    /// equal files.
    ///
    /// # Errors
    /// [`VectorError::Dimension`] where a vector has another dimension; usearch and the disk.
    pub fn build(
        path: &Path,
        dimension: usize,
        vectors: &[(u32, Vector)],
    ) -> Result<(), VectorError> {
        for (_, vector) in vectors {
            check_dimension(dimension, vector)?;
        }
        let mut sorted: Vec<&(u32, Vector)> = vectors.iter().collect();
        sorted.sort_by_key(|(ordinal, _)| *ordinal); // stable: windows stay in order
        file::write(path, dimension, &sorted)
    }

    /// Reads what [`VectorStore::build`] wrote.
    ///
    /// # Errors
    /// [`VectorError::Unfit`] unless the file is whole, was written by this version, and holds
    /// exactly `expected` vectors of `dimension`.
    pub fn open(path: &Path, dimension: usize, expected: usize) -> Result<Self, VectorError> {
        let file::Loaded { index, ordinals } = file::read(path, dimension, expected)?;
        let mut rows = vec![0.0_f32; ordinals.len() * dimension];
        for (row, values) in rows.chunks_exact_mut(dimension.max(1)).enumerate() {
            let found = index.get(row as u64, values).map_err(usearch)?;
            // A non-finite number would outrank everything; the checksum makes it unlikely.
            if found != 1 || values.iter().any(|value| !value.is_finite()) {
                let what = format!("vector {row} is missing or not finite");
                return Err(VectorError::Unfit { path: path.to_owned(), what });
            }
        }
        let graph = (ordinals.len() > MOST_SCANNED).then_some(index);
        Ok(Self { dimension, rows, sections: sections(&ordinals), ordinals, graph })
    }

    /// The `limit` sections nearest to `query` with the cosine of their best window, best first,
    /// equal scores by ordinal; only those in `allowed` where it is given. Always `limit` sections
    /// when there are as many.
    ///
    /// # Errors
    /// [`VectorError::Dimension`].
    pub fn search(
        &self,
        query: &Vector,
        limit: usize,
        allowed: Option<&Allowed>,
    ) -> Result<Vec<(u32, f32)>, VectorError> {
        check_dimension(self.dimension, query)?;
        if let Some(graph) = &self.graph
            && let Some(hits) = self.by_graph(graph, query, limit, allowed)
        {
            return Ok(hits);
        }
        Ok(self.by_scan(query, limit, allowed))
    }

    /// The cosine of a section's best window; nothing where the section has no vector.
    ///
    /// # Errors
    /// [`VectorError::Dimension`].
    pub fn score(&self, query: &Vector, ordinal: u32) -> Result<Option<f32>, VectorError> {
        check_dimension(self.dimension, query)?;
        Ok(self.rows_of(ordinal).map(|rows| self.best(query, rows)))
    }

    /// The vectors of a section in the order of its windows; empty where there are none.
    ///
    /// # Panics
    /// Never: what was a vector before it was written still is one.
    pub fn all_of(&self, ordinal: u32) -> Vec<Vector> {
        self.rows_of(ordinal)
            .into_iter()
            .flatten()
            .map(|row| {
                Vector::new(self.row(row).to_vec()).expect("only vectors are written, and checked")
            })
            .collect()
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.ordinals.len()
    }

    /// Whether there is no vector.
    pub fn is_empty(&self) -> bool {
        self.ordinals.is_empty()
    }

    fn by_scan(&self, query: &Vector, limit: usize, allowed: Option<&Allowed>) -> Vec<(u32, f32)> {
        let found = self
            .sections
            .iter()
            .filter(|(ordinal, _)| allowed.is_none_or(|allowed| allowed.contains(*ordinal)))
            .map(|(ordinal, rows)| (*ordinal, self.best(query, rows.clone())))
            .collect();
        best_first(found, limit)
    }

    /// Nothing where the graph is the wrong tool: few allowed, many wanted, or usearch has no
    /// thread to spare. Comparing all is slower then, but right.
    fn by_graph(
        &self,
        graph: &Index,
        query: &Vector,
        limit: usize,
        allowed: Option<&Allowed>,
    ) -> Option<Vec<(u32, f32)>> {
        let share = allowed
            .map_or(1.0, |allowed| allowed.count() as f64 / self.sections.len().max(1) as f64);
        if share < LEAST_ALLOWED_SHARE {
            return None;
        }
        // Twice the limit, as several windows of one section may come before the next section.
        let mut wanted = limit.max(20) * 2;
        while wanted < self.len() / 4 {
            let found = match graph.search(query.values(), wanted) {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "usearch could not search; comparing all vectors");
                    return None;
                }
            };
            let ordinals: BTreeSet<u32> = found
                .keys
                .iter()
                .filter_map(|row| self.ordinals.get(usize::try_from(*row).ok()?).copied())
                .filter(|ordinal| allowed.is_none_or(|allowed| allowed.contains(*ordinal)))
                .collect();
            if ordinals.len() >= limit {
                let exact = |ordinal| Some((ordinal, self.best(query, self.rows_of(ordinal)?)));
                return Some(best_first(ordinals.into_iter().filter_map(exact).collect(), limit));
            }
            wanted *= 4;
        }
        None
    }

    fn best(&self, query: &Vector, rows: Range<usize>) -> f32 {
        let query = query.values();
        rows.map(|row| dot(query, self.row(row))).fold(f32::NEG_INFINITY, f32::max)
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.rows[row * self.dimension..(row + 1) * self.dimension]
    }

    fn rows_of(&self, ordinal: u32) -> Option<Range<usize>> {
        let at = self.sections.binary_search_by_key(&ordinal, |(ordinal, _)| *ordinal).ok()?;
        Some(self.sections[at].1.clone())
    }
}

fn sections(ordinals: &[u32]) -> Vec<(u32, Range<usize>)> {
    let mut sections: Vec<(u32, Range<usize>)> = Vec::new();
    for (row, ordinal) in ordinals.iter().enumerate() {
        match sections.last_mut() {
            Some((last, rows)) if last == ordinal => rows.end = row + 1,
            Some(_) | None => sections.push((*ordinal, row..row + 1)),
        }
    }
    sections
}

fn best_first(mut found: Vec<(u32, f32)>, limit: usize) -> Vec<(u32, f32)> {
    let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0));
    if limit < found.len() {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
    found
}

fn check_dimension(expected: usize, vector: &Vector) -> Result<(), VectorError> {
    let found = vector.dimension();
    if found == expected { Ok(()) } else { Err(VectorError::Dimension { expected, found }) }
}

fn usearch(error: impl std::error::Error + Send + Sync + 'static) -> VectorError {
    VectorError::Usearch(Box::new(error))
}

#[cfg(test)]
mod tests;
