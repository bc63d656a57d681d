//! Which terms move a section the right way, measured on vectors.

use super::{Candidate, Concept};
use crate::domain::Vector;
use crate::enrichment::Documents;

/// Terms that one section gets at most.
const MOST: usize = 3;
/// Share of a few words in the vector of a section with some hundred: what the model's mean pooling
/// gives them.
const SHARE: f32 = 0.1;
/// A smaller gain is noise.
const LEAST_GAIN: f32 = 0.002;

/// Where documents lie: the mean of the vectors of their sections.
#[derive(Debug)]
pub struct Topics {
    centroids: Vec<Option<Vector>>,
    /// Position of each section's document.
    document: Vec<usize>,
}

impl Topics {
    /// The topics of all documents from the vectors of all sections, by ordinal.
    pub fn of(documents: &Documents, sections: &[Vector]) -> Self {
        let mut document = vec![0; sections.len()];
        for (at, ordinals) in documents.iter().enumerate() {
            for ordinal in ordinals {
                document[*ordinal as usize] = at;
            }
        }
        let centroids = documents
            .iter()
            .map(|ordinals| mean(ordinals.iter().map(|ordinal| &sections[*ordinal as usize])))
            .collect();
        Self { centroids, document }
    }

    /// The topic of a section's own document, and the other one that is nearest to the section.
    pub fn around(&self, ordinal: u32, section: &Vector) -> Option<(&Vector, &Vector)> {
        let own = self.document[ordinal as usize];
        let others = self.centroids.iter().enumerate().filter(|(at, _)| *at != own);
        let other = others
            .filter_map(|(_, centroid)| centroid.as_ref())
            .max_by(|a, b| a.cosine(section).total_cmp(&b.cosine(section)))?;
        Some((self.centroids[own].as_ref()?, other))
    }
}

/// How much nearer a section came to its own topic than to the other: the change of the difference
/// of the two cosines.
pub fn gain(before: &Vector, after: &Vector, (own, other): (&Vector, &Vector)) -> f32 {
    (after.cosine(own) - after.cosine(other)) - (before.cosine(own) - before.cosine(other))
}

/// The terms that a section should get, best first: those with the largest estimated gain, at most
/// three. Terms come with their vectors; those that the section names itself must not be among them.
pub fn choose(
    section: &Vector,
    around: (&Vector, &Vector),
    terms: &[(&Candidate, &Vector)],
) -> Vec<Concept> {
    let mut gains: Vec<(f32, &Candidate)> = terms
        .iter()
        .filter_map(|(term, vector)| {
            let moved = mixed(section, vector, SHARE)?;
            let gained = gain(section, &moved, around);
            (gained > LEAST_GAIN).then_some((gained, *term))
        })
        .collect();
    gains.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.stems.cmp(&b.1.stems)));
    gains.truncate(MOST);
    gains.into_iter().map(|(gained, term)| Concept::of(term, f64::from(gained))).collect()
}

/// The constants of this method.
pub(super) fn method() -> String {
    format!("{MOST}/{SHARE}/{LEAST_GAIN}")
}

fn mixed(a: &Vector, b: &Vector, share: f32) -> Option<Vector> {
    let values = a.values().iter().zip(b.values());
    Vector::new(values.map(|(a, b)| (1.0 - share) * a + share * b).collect()).ok()
}

/// The mean direction of vectors; `None` for none, or where they cancel out.
pub fn mean<'a>(vectors: impl Iterator<Item = &'a Vector>) -> Option<Vector> {
    let mut sum: Vec<f32> = Vec::new();
    for vector in vectors {
        sum.resize(vector.dimension(), 0.0);
        sum.iter_mut().zip(vector.values()).for_each(|(sum, value)| *sum += value);
    }
    Vector::new(sum).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enrichment::concepts::Proposer;

    fn vector(values: [f32; 3]) -> Vector {
        Vector::new(values.to_vec()).expect("a vector")
    }

    #[test]
    fn a_term_towards_the_own_topic_is_taken_and_one_towards_another_is_not() {
        let section = vector([1.0, 1.0, 1.0]);
        let around = (&vector([1.0, 0.0, 0.0]), &vector([0.0, 1.0, 0.0]));
        let term = |text: &str| Candidate {
            text: text.to_owned(),
            stems: vec![text.to_owned()],
            weight: 1.0,
            proposed_by: Proposer::Frequency,
        };
        let (good, bad, idle) = (term("gut"), term("schlecht"), term("egal"));
        let vectors = [vector([1.0, 0.1, 0.0]), vector([0.1, 1.0, 0.0]), vector([1.0, 1.0, 1.0])];
        let terms = [(&bad, &vectors[1]), (&idle, &vectors[2]), (&good, &vectors[0])];
        let chosen = choose(&section, around, &terms);
        assert_eq!(chosen.len(), 1);
        assert!(chosen[0].text == "gut" && chosen[0].gain > 0.0);
    }

    #[test]
    fn a_section_gets_three_terms_at_most() {
        let section = vector([1.0, 1.0, 1.0]);
        let around = (&vector([1.0, 0.0, 0.0]), &vector([0.0, 1.0, 0.0]));
        let terms: Vec<Candidate> = (0..9)
            .map(|at| Candidate {
                text: at.to_string(),
                stems: vec![at.to_string()],
                weight: 1.0,
                proposed_by: Proposer::Frequency,
            })
            .collect();
        let towards = vector([1.0, 0.0, 0.0]);
        let terms: Vec<(&Candidate, &Vector)> = terms.iter().map(|term| (term, &towards)).collect();
        let chosen = choose(&section, around, &terms);
        let texts: Vec<&str> = chosen.iter().map(|concept| concept.text.as_str()).collect();
        assert_eq!(texts, ["0", "1", "2"], "ties in one order");
    }
}
