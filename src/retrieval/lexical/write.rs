//! Writing the documents: one segment in the order of the ordinals.

use std::collections::BTreeMap;

use tantivy::index::SegmentId;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{Index, IndexWriter};

use super::document::Documents;
use super::schema::{Fields, ORDINAL};
use crate::analysis::Analyzer;
use crate::domain::Section;

/// One writing thread keeps the documents in the order of their ordinals, so that two builds of
/// one compendium give the same index.
const WRITER_THREADS: usize = 1;
const WRITER_MEMORY: usize = 64 << 20;

/// Writes the sections with what they have from their documents, by ordinal; gives the identifiers
/// that they hold.
pub(super) fn fill(
    index: &Index,
    fields: Fields,
    sections: &[Section],
    inherited: &[Vec<String>],
    analyzer: &Analyzer,
) -> tantivy::Result<BTreeMap<String, String>> {
    let mut writer: IndexWriter = index.writer_with_num_threads(WRITER_THREADS, WRITER_MEMORY)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut documents = Documents::new(analyzer, fields);
    for (ordinal, section) in sections.iter().enumerate() {
        let inherited = inherited.get(ordinal).map_or(&[][..], Vec::as_slice);
        let document = documents.document(ordinal as u64, section, inherited);
        writer.add_document(document)?;
    }
    writer.commit()?;
    merge(index, &mut writer)?;
    writer.wait_merging_threads()?;
    Ok(documents.identifiers)
}

/// Makes one segment of all, in the order of the ordinals, so that two builds of one compendium give
/// the same index and ties are broken alike.
fn merge(index: &Index, writer: &mut IndexWriter) -> tantivy::Result<()> {
    let mut segments = Vec::new();
    for segment in index.reader()?.searcher().segment_readers() {
        let first = segment.fast_fields().u64(ORDINAL)?.first(0);
        segments.push((first, segment.segment_id()));
    }
    segments.sort_unstable();
    if segments.len() > 1 {
        let ids: Vec<SegmentId> = segments.into_iter().map(|(_, id)| id).collect();
        writer.merge(&ids).wait()?;
    }
    Ok(())
}
