//! A door for learning weights: a question is searched once, and what the channels found is weighed as
//! often as one likes. Not reachable from outside the crate, and nothing that serves goes through it.

use super::channels::{Speaking, weights};
use super::facets::Raise;
use super::parts::merged;
use super::search::Heard;
use super::{Pipeline, PipelineError, Times};
use crate::domain::{FacetMode, Fusion, Mode, Profile, Query, SectionId};
use crate::retrieval::fuse::{Fused, Pool, Weights};

/// What the channels found for a question and for what it asks beside.
#[derive(Debug)]
pub(crate) struct Weighable {
    /// Name of the profile of the whole question.
    pub(crate) profile: String,
    whole: usize,
    lists: Vec<List>,
}

#[derive(Debug)]
struct List {
    pool: Pool,
    speaking: Speaking,
    raises: Vec<Raise>,
    profile: Profile,
}

impl Pipeline {
    /// Searches a question in both channels.
    ///
    /// # Errors
    /// As [`Pipeline::search`]; here a channel that fails is an error.
    pub(crate) async fn weighable(&self, query: &Query) -> Result<Weighable, PipelineError> {
        let mut times = Times::start();
        let (mut asked, whole) = self.routed(query, &mut times).await?.asked();
        let embedded = self.all_embedded(&mut asked, Mode::Hybrid).await?;
        let mut lists = Vec::with_capacity(asked.len());
        for (question, embedded) in asked.iter_mut().zip(embedded) {
            let narrowed = match self.facet_mode {
                FacetMode::Filter => self.narrowed(question, None),
                FacetMode::Boost | FacetMode::Off => None,
            };
            let allowed = narrowed.as_ref();
            let heard = self.heard(question, embedded, Mode::Hybrid, allowed, &mut times)?;
            let raises = self.raises(question, true, self.facet_mode);
            let Heard { vector: Some(vector), lexical: Some(lexical), speaking } = heard else {
                let why = format!("a channel failed: {}", question.trace.notes.join("; "));
                return Err(PipelineError::Request(why));
            };
            let pool = self.pool(Some(&vector), Some(&lexical));
            let profile = self.profile(question).clone();
            lists.push(List { pool, speaking, raises, profile });
        }
        Ok(Weighable { profile: lists[whole].profile.name.clone(), whole, lists })
    }

    /// The first `k` sections as a search would show them, with these weights instead of those of the
    /// profiles where any are given.
    pub(crate) fn weighed(
        &self,
        found: &Weighable,
        fusion: Fusion,
        instead: Option<Weights>,
        k: usize,
    ) -> Vec<&SectionId> {
        let ranked = |list: &List| {
            let weights = instead.unwrap_or_else(|| weights(&list.profile));
            let mut fused = list.pool.fused(fusion, list.speaking.weights(weights));
            Raise::all(&list.raises, &mut fused);
            self.diverse(&fused, k, &list.profile)
        };
        let ranked: Vec<Vec<Fused>> = found.lists.iter().map(ranked).collect();
        let lists: Vec<&[Fused]> = ranked.iter().map(Vec::as_slice).collect();
        let hits = merged(&lists, found.whole, k);
        hits.iter().map(|(_, hit)| &self.index.section(hit.ordinal).id).collect()
    }

    /// How the channels are fused.
    pub(crate) fn fusion(&self) -> Fusion {
        self.fusion
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::{self, Layer};
    use crate::pipeline::SearchRequest;
    use crate::pipeline::assemble::{Assembly, Listener};

    struct Silent;

    impl Listener for Silent {
        fn building(&mut self, _: &str) {}
        fn waiting(&mut self) {}
        fn progress(&mut self, _: usize, _: usize) {}
    }

    /// Two letters that differ in their heads alone, and a vocabulary that knows one customer.
    async fn letters(folder: &Path, facet_mode: FacetMode) -> Pipeline {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (rules, compendium) = (folder.join("rules"), folder.join("compendium"));
        for made in [&rules, &compendium] {
            std::fs::create_dir_all(made).expect("made");
        }
        for from in [root.join("rules"), root.join("tests/fixtures/rules")] {
            for entry in std::fs::read_dir(from).expect("a folder") {
                let path = entry.expect("an entry").path();
                std::fs::copy(&path, rules.join(path.file_name().expect("a name")))
                    .expect("copied");
            }
        }
        let house = "kunde:\n  - {id: h, label: Hoffmann & Söhne GmbH, aliases: [Hoffmann]}\n";
        std::fs::write(rules.join("taxonomy.yaml"), house).expect("written");
        for (file, company, code) in
            [("a", "Weber AG", "ART-5512-C"), ("b", "Hoffmann & Söhne GmbH", "ART-4471-B")]
        {
            let text = format!(
                "# Angebot\n\n## Briefkopf\n\nAn die {company}, wir bieten {code} an.\n\n## \
                 Zahlungsbedingungen\n\nDreißig Tage netto.\n\n## Lieferfrist\n\nZwei Wochen.\n"
            );
            std::fs::write(compendium.join(format!("{file}.md")), text).expect("written");
        }
        let file = folder.join("wegweiser.yaml");
        std::fs::write(&file, "{}\n").expect("written");
        let over = Layer {
            rules: Some(rules),
            compendium: Some(compendium),
            data_dir: Some(folder.join("data")),
            facet_mode: Some(facet_mode),
            ..Layer::default()
        };
        let config = config::load(Some(&file), over).expect("sound");
        let assembly = Assembly::prepare(&config).await.expect("sound");
        let index = assembly.index(&mut Silent).expect("an index");
        assembly.pipeline(&config, index)
    }

    #[tokio::test]
    async fn a_question_is_weighed_as_it_is_searched() {
        let folder = tempfile::tempdir().expect("a folder");
        for facet_mode in [FacetMode::Boost, FacetMode::Filter, FacetMode::Off] {
            let pipeline = letters(folder.path(), facet_mode).await;
            for (question, document) in [
                ("Zahlungsbedingungen Hoffmann", "b"),
                ("Lieferfrist ART-5512-C", "a"),
                ("Lieferfrist", ""),
            ] {
                let query = Query::new(question, 100).expect("a question");
                let request = SearchRequest { k: Some(10), ..SearchRequest::default() };
                let answer = pipeline.search(&query, &request).await.expect("found").answer;
                let hits = answer.hits.expect("hits");
                let searched: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
                let found = pipeline.weighable(&query).await.expect("found");
                let weighed = pipeline.weighed(&found, pipeline.fusion(), None, 10);
                let weighed: Vec<&str> = weighed.into_iter().map(SectionId::as_str).collect();
                assert_eq!(weighed, searched, "{question}, {facet_mode:?}");
                assert!(searched[0].starts_with(document), "{question}: {searched:?}");
                // However the channels are weighed: the document that is named comes first.
                let vector = Weights { vector: 1.0, lexical: 0.0 };
                let by_vector = pipeline.weighed(&found, pipeline.fusion(), Some(vector), 10);
                assert!(by_vector[0].as_str().starts_with(document), "{question}");
            }
        }
    }
}
