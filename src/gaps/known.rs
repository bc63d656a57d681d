//! Everything that is known when findings are looked for.

use super::asked::{Asked, Asking};
use super::finding::{Evidence, Named};
use super::vocabulary::Vocabulary;
use crate::domain::Section;
use crate::eval::sections::Landscape;

/// Sections with what was measured and asked.
#[derive(Debug)]
pub(super) struct Known<'a> {
    /// All sections, by ordinal.
    pub(super) sections: &'a [Section],
    /// How they lie to one another.
    pub(super) landscape: &'a Landscape,
    /// Their words.
    pub(super) vocabulary: &'a Vocabulary,
    /// What was asked.
    pub(super) asking: &'a Asking,
    /// The questions that were written for each section, by ordinal.
    pub(super) own: Vec<Vec<&'a Asked>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(
        sections: &'a [Section],
        landscape: &'a Landscape,
        vocabulary: &'a Vocabulary,
        asking: &'a Asking,
    ) -> Self {
        Self { sections, landscape, vocabulary, asking, own: asking.own(sections.len()) }
    }

    pub(super) fn section(&self, ordinal: u32) -> &'a Section {
        &self.sections[ordinal as usize]
    }

    /// Ordinals with their sections.
    pub(super) fn each(&self) -> impl Iterator<Item = (u32, &'a Section)> {
        (0..).zip(self.sections)
    }

    /// Questions that concern a section: its own, at least one.
    pub(super) fn reach(&self, ordinal: u32) -> f64 {
        self.own[ordinal as usize].len().max(1) as f64
    }

    /// How often a section is the first hit.
    pub(super) fn first_hits(&self, ordinal: u32) -> usize {
        let asked = self.asking.asked.iter();
        asked.filter(|asked| asked.hits.first().is_some_and(|hit| hit.0 == ordinal)).count()
    }

    /// A question with what became of it.
    pub(super) fn question(&self, asked: &Asked) -> Evidence {
        let found = match asked.rank() {
            Some(1) => "Rang 1".to_owned(),
            rank => {
                let place = rank.map_or("nicht unter den ersten zehn".to_owned(), |rank| {
                    format!("erst auf Rang {rank}")
                });
                let first = asked.hits.first().map(|(first, _)| &self.section(*first).title);
                first.map_or(place.clone(), |first| format!("{place}, zuerst kommt „{first}“"))
            }
        };
        let refused = if asked.refused { "abgelehnt, " } else { "" };
        Evidence::Question {
            id: asked.id.clone(),
            text: asked.text.clone(),
            count: 1,
            outcome: format!("{refused}{found}"),
        }
    }

    /// The nearest other sections with their similarity.
    pub(super) fn neighbours(&self, ordinal: u32, most: usize) -> Vec<Evidence> {
        let near = &self.landscape.sections[ordinal as usize].neighbours;
        let near = near.iter().take(most).map(|near| Evidence::Section {
            section: Named::from(self.section(near.ordinal)),
            role: format!("Ähnlichkeit {}", super::finding::number(near.similarity)),
        });
        near.collect()
    }
}
