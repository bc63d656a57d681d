//! What exactly goes into each index for a section, and where it comes from.

use serde::Serialize;

use crate::analysis::{Analyzer, Target};
use crate::domain::{EnrichmentPlan, Section, Use};
use crate::embedding::{Embedder, Passage};
use crate::enrichment::concepts::{Concept, Proposer};
use crate::enrichment::{DocumentSymbol, Enrichment, MODEL, Origin};
use crate::groups::Template;
use crate::retrieval::lexical::LexicalIndex;

/// All inputs of one section.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// Section id.
    pub section: String,
    /// File, line and column of its heading.
    pub place: String,
    /// Which enrichment is in force.
    pub enrichment: EnrichmentPlan,
    /// Windows that are embedded without prefix. The model puts its own `passage: ` before each.
    pub plain: Vec<String>,
    /// The same with the prefix of the section's group; without a group the same as `plain`.
    pub prefixed: Vec<String>,
    /// The section as a whole, as it is written: concepts are in the windows only.
    pub whole: Vec<String>,
    /// Group that the prefix names.
    pub group: Option<String>,
    /// Tokens of each field of the keyword index.
    pub lexical: Vec<Field>,
    /// What does not stand in the section itself.
    pub added: Vec<Added>,
    /// Symbols of the document that its sections do not inherit: it is a list or a handbook.
    pub left_out: usize,
}

/// A field of the keyword index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Name.
    pub name: String,
    /// What it is made of.
    pub from: &'static str,
    /// Tokens in their order.
    pub tokens: Vec<String>,
}

/// A piece that the section has from its document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Added {
    /// As it is written.
    pub text: String,
    /// Entry of `rules/symbols.yaml`, `facet`, `llm` for what only the model named, or `concept`.
    pub kind: String,
    /// The index it is meant for.
    pub target: Target,
    /// `lexical`, `embedding`: where it really went under the settings in force.
    pub went_to: Vec<&'static str>,
    /// Where the document names it; for a concept how it was chosen.
    pub from: String,
}

/// Shows one section as a build treats it.
pub fn inspect(
    section: &Section,
    ordinal: u32,
    enrichment: &Enrichment,
    plan: EnrichmentPlan,
    (template, embedder, analyzer): (&Template, &dyn Embedder, &Analyzer),
) -> Inspection {
    let head = enrichment.head(plan, ordinal);
    let windows = |prefix: String| -> Vec<String> {
        texts(&embedder.windows(&(prefix + &head), &section.title, &section.text))
    };
    let tokens = LexicalIndex::tokens(analyzer, section, &enrichment.tokens(plan, ordinal));
    let document = enrichment.symbols(ordinal);
    let symbols = document.iter().flat_map(|document| &document.symbols);
    let concepts = enrichment.concepts(ordinal);
    let mut added: Vec<Added> = symbols.map(|symbol| of_symbol(symbol, plan)).collect();
    added.extend(concepts.iter().map(|concept| of_concept(concept, plan)));
    Inspection {
        section: section.id.to_string(),
        place: section.place.to_string(),
        enrichment: plan,
        whole: texts(&embedder.whole(&section.title, &section.text)),
        plain: windows(String::new()),
        prefixed: windows(template.of_section(section.group.as_ref())),
        group: section.group.as_ref().map(ToString::to_string),
        lexical: tokens
            .into_iter()
            .map(|(name, tokens)| Field { from: origin_of(&name), name, tokens })
            .collect(),
        added,
        left_out: document.map_or(0, |document| document.left_out),
    }
}

fn texts(passages: &[Passage]) -> Vec<String> {
    passages.iter().map(|passage| passage.text().to_owned()).collect()
}

fn origin_of(field: &str) -> &'static str {
    match field {
        "title" => "stems of the heading",
        "path" => "stems of the headings above",
        "text" => "stems of the text",
        "heads" => "heads of compounds in heading and text",
        "parts" => "other parts of compounds in heading and text",
        "exact" => "folded words of heading and text",
        "grams" => "4-grams of heading and text",
        "symbols" => "identifiers of heading and text",
        "synonyms" => "synonyms of heading and text",
        _ => "symbols of the document",
    }
}

fn of_symbol(symbol: &DocumentSymbol, plan: EnrichmentPlan) -> Added {
    let mut went_to = Vec::new();
    if symbol.target.lexical() || plan.symbols == Use::Both {
        went_to.push("lexical");
    }
    if plan.symbols == Use::Both {
        went_to.push("embedding");
    }
    let from = match &symbol.origin {
        Origin::Facet(name) => format!("facet `{name}`"),
        Origin::Path => "heading above".to_owned(),
        Origin::Title(id) => format!("heading of {id}"),
        Origin::Text(id) => format!("text of {id}"),
    };
    let from = if symbol.kind == MODEL { format!("llm, {from}") } else { from };
    Added {
        text: symbol.surface.clone(),
        kind: symbol.kind.clone(),
        target: symbol.target,
        went_to,
        from,
    }
}

fn of_concept(concept: &Concept, plan: EnrichmentPlan) -> Added {
    let mut went_to = Vec::new();
    if plan.concepts == Use::Both {
        went_to.push("lexical");
    }
    if plan.concepts != Use::Off {
        went_to.push("embedding");
    }
    Added {
        text: concept.text.clone(),
        kind: "concept".to_owned(),
        target: Target::Embedding,
        went_to,
        from: match concept.proposed_by {
            Proposer::Frequency => {
                format!("document, weight {}, gain {}", concept.weight, concept.gain)
            }
            Proposer::Usage => format!("rules/symbols.yaml, gain {}", concept.gain),
            Proposer::Llm => format!("llm, gain {}", concept.gain),
        },
    }
}
