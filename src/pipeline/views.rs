//! One pipeline for each set of sections that somebody may see.
//!
//! A filter over one index would keep hidden sections out of the hits, and still let them be felt: in
//! document frequencies, compound splitting, known words, similar identifiers, neighbours. A view is
//! built as if the hidden sections had never been written, so there is nothing to feel. It costs one
//! more index, without embedding anything again (decision 0015).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Pipeline;
use super::assemble::{AssembleError, Assembly, Listener};
use crate::access::Audiences;
use crate::config::Config;
use crate::indexing::Index;

/// Pipelines that were built from the same files, by what they show.
#[derive(Debug)]
pub struct Views {
    /// Audiences that some section names.
    existing: BTreeSet<String>,
    whole: Arc<Pipeline>,
    /// Parts, by the audiences among the existing ones that see them.
    parts: BTreeMap<Audiences, Arc<Pipeline>>,
}

impl Views {
    /// Opens or builds the index of all sections and those of the parts that are wanted. Blocks while
    /// building; needs a running tokio runtime where llama3 is configured.
    ///
    /// # Errors
    /// An index can neither be opened nor built.
    pub fn build(
        assembly: &Assembly,
        config: &Config,
        wanted: &[Audiences],
        listener: &mut dyn Listener,
    ) -> Result<Self, AssembleError> {
        // All sections first: their embeddings are those of every part.
        let index = assembly.index(listener)?;
        assembly.publish();
        let complete = index.unread().is_none();
        let of_part = |part: &Assembly| {
            let index = part.index(listener)?;
            // A model that read all documents reads those of a part, too.
            if complete { part.completed(index, listener) } else { Ok(index) }
        };
        let views = Self::joined(assembly, config, index, wanted, of_part)?;
        assembly.keep_views(views.parts.keys());
        Ok(views)
    }

    /// The same for a command that asks and ends: parts that nobody serves are built aside, and what
    /// others serve stays.
    ///
    /// # Errors
    /// As [`Views::build`].
    pub fn aside(
        assembly: &Assembly,
        config: &Config,
        wanted: &[Audiences],
        listener: &mut dyn Listener,
    ) -> Result<Self, AssembleError> {
        let index = assembly.index(listener)?;
        Self::joined(assembly, config, index, wanted, |part| part.index_aside(listener))
    }

    fn joined(
        assembly: &Assembly,
        config: &Config,
        index: Index,
        wanted: &[Audiences],
        mut of_part: impl FnMut(&Assembly) -> Result<Index, AssembleError>,
    ) -> Result<Self, AssembleError> {
        let sections = &assembly.sources().compendium.sections;
        let existing: BTreeSet<String> =
            sections.iter().flat_map(|section| section.audience.iter().cloned()).collect();
        let mut parts = BTreeMap::new();
        for audiences in wanted.iter().map(|audiences| audiences.among(&existing)) {
            if audiences != Audiences::All && !parts.contains_key(&audiences) {
                let part = assembly.seen_by(&audiences);
                let index = of_part(&part)?;
                parts.insert(audiences, Arc::new(part.pipeline(config, index)));
            }
        }
        let whole = Arc::new(assembly.clone().pipeline(config, index));
        Ok(Self { existing, whole, parts })
    }

    /// What shows all sections.
    pub fn whole(&self) -> &Arc<Pipeline> {
        &self.whole
    }

    /// The same rights in terms of the audiences that sections name now: equal rights are equal values.
    pub fn seen(&self, audiences: &Audiences) -> Audiences {
        audiences.among(&self.existing)
    }

    /// What shows exactly what these audiences may see; `None` where nobody had these rights when the
    /// views were built.
    pub fn of(&self, audiences: &Audiences) -> Option<&Arc<Pipeline>> {
        match audiences.among(&self.existing) {
            Audiences::All => Some(&self.whole),
            part @ Audiences::Only(_) => self.parts.get(&part),
        }
    }
}

impl From<Pipeline> for Views {
    /// A pipeline for callers who see everything.
    fn from(whole: Pipeline) -> Self {
        let audiences = whole.sections().iter().flat_map(|section| section.audience.iter());
        Self {
            existing: audiences.cloned().collect(),
            whole: Arc::new(whole),
            parts: BTreeMap::new(),
        }
    }
}
