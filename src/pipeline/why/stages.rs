//! What each stage did to the section.

use std::fmt::Write as _;

use super::super::route::Routed;
use super::super::{Pipeline, PipelineError};
use super::trial::{Bench, Ordered, Setting};
use crate::domain::{GroupId, IntentId, Source, Stage, StageVerdict};
use crate::retrieval::fuse::Weights;

/// The verdicts of all stages, in their order.
pub(super) async fn verdicts(
    pipeline: &Pipeline,
    bench: &mut Bench<'_>,
    routed: &Routed,
    usual: &Ordered,
    excluded: bool,
) -> Result<Vec<StageVerdict>, PipelineError> {
    let filter = if excluded {
        let german = "Die Filter der Anfrage schließen den Abschnitt aus.";
        verdict(Stage::Filter, true, "filter_excludes", german, None)
    } else {
        let german = "Kein Filter schließt den Abschnitt aus.";
        verdict(Stage::Filter, false, "filter_admits", german, None)
    };
    let (rule, intent) = intents(pipeline, bench, routed, usual).await?;
    let group = group(pipeline, bench, routed, usual).await?;
    let (vector, lexical) = (by_vector(bench, usual), by_words(pipeline, bench, routed, usual));
    let fusion = fusion(pipeline, bench, routed, usual).await?;
    Ok(vec![filter, rule, intent, group, vector, lexical, fusion])
}

fn verdict(
    stage: Stage,
    against: bool,
    code: &'static str,
    german: impl Into<String>,
    rank_otherwise: Option<usize>,
) -> StageVerdict {
    StageVerdict { stage, against, code, german: german.into(), rank_otherwise }
}

/// Whether the intent cost the first place: every other one is tried.
async fn intents(
    pipeline: &Pipeline,
    bench: &mut Bench<'_>,
    routed: &Routed,
    usual: &Ordered,
) -> Result<(StageVerdict, StageVerdict), PipelineError> {
    let decision = &routed.decision;
    let (target, now) = (bench.target, usual.rank(bench.target));
    let mut best: Option<(usize, &IntentId)> = None;
    for (id, _) in pipeline.intents.iter().filter(|(id, _)| Some(*id) != decision.intent.as_ref()) {
        let setting = Setting { intent: Some(id), ..Setting::usual(pipeline, routed) };
        let rank = bench.order(&setting).await?.rank(target);
        let better = rank.filter(|rank| best.is_none_or(|(best, _)| *rank < best));
        if let Some(rank) = better {
            best = Some((rank, id));
        }
    }
    let won = best.filter(|(rank, _)| *rank == 1 && now != Some(1));
    let name = decision.intent.as_ref().map_or("unknown", IntentId::as_str);
    let tail = match won {
        Some((_, other)) => format!(" Mit der Absicht {other} stünde er auf Rang 1."),
        None => " Keine andere Absicht brächte ihn auf Rang 1.".to_owned(),
    };
    let otherwise = best.map(|(rank, _)| rank);
    let by_rule = decision.source == Source::Rule;
    let (rule, intent) = match (by_rule, won.is_some()) {
        (true, true) => ("rule_decided_against", "intent_by_rule"),
        (true, false) => ("rule_not_decisive", "intent_by_rule"),
        (false, true) => ("rule_none", "intent_decided_against"),
        (false, false) => ("rule_none", "intent_not_decisive"),
    };
    let by_rule_german = decision.rule.as_ref().map_or_else(
        || "Keine Regel hat die Absicht entschieden.".to_owned(),
        |(id, place)| format!("Die Regel {id} ({place}) entschied die Absicht {name}.{tail}"),
    );
    let intent_german = if by_rule {
        format!("Die Absicht {name} kam von einer Regel.")
    } else {
        format!("Die Absicht {name} kam von {}.{tail}", source(decision.source))
    };
    let against = won.is_some();
    Ok((
        verdict(
            Stage::Rule,
            by_rule && against,
            rule,
            by_rule_german,
            otherwise.filter(|_| by_rule),
        ),
        verdict(
            Stage::Intent,
            !by_rule && against,
            intent,
            intent_german,
            otherwise.filter(|_| !by_rule),
        ),
    ))
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Rule => "einer Regel",
        Source::Llm => "llama3",
        Source::Classifier => "dem Klassifikator",
        Source::Default => "niemandem: sie blieb unbekannt",
    }
}

async fn group(
    pipeline: &Pipeline,
    bench: &mut Bench<'_>,
    routed: &Routed,
    usual: &Ordered,
) -> Result<StageVerdict, PipelineError> {
    let Some(own) = &bench.section().group else {
        let german = "Der Abschnitt hat keine Gruppe.";
        return Ok(verdict(Stage::Group, false, "group_of_section_absent", german, None));
    };
    let named = |group: &GroupId| group.as_str().replace('_', " ");
    if usual.chosen.first() == Some(own) {
        let german = format!("Seine Gruppe {} wurde zuerst gewählt.", named(own));
        return Ok(verdict(Stage::Group, false, "group_chosen", german, None));
    }
    let setting = Setting { forced: Some(own), ..Setting::usual(pipeline, routed) };
    let rank = bench.order(&setting).await?.rank(bench.target);
    let now = usual.rank(bench.target);
    let against = rank.is_some_and(|rank| now.is_none_or(|now| rank < now));
    let (code, mut german) = match usual.chosen.first() {
        None => (
            "group_none_chosen",
            format!("Kein Wort der Frage sprach für eine Gruppe, auch nicht für {}.", named(own)),
        ),
        Some(first) => (
            "group_other_chosen",
            format!("Gewählt wurde {} vor seiner Gruppe {}.", named(first), named(own)),
        ),
    };
    let better = rank.filter(|_| against);
    let end = match better {
        Some(rank) => format!(" Mit seiner Gruppe stünde er auf Rang {rank}."),
        None => " Auch mit seiner Gruppe stünde er nicht besser.".to_owned(),
    };
    write!(german, "{end}").expect("a String takes everything");
    Ok(verdict(Stage::Group, against, code, german, rank))
}

fn place_in(hits: &[(u32, f32)], ordinal: u32) -> Option<usize> {
    hits.iter().position(|(found, _)| *found == ordinal).map(|at| at + 1)
}

fn by_vector(bench: &Bench<'_>, usual: &Ordered) -> StageVerdict {
    let hits = &usual.by_vector;
    match (hits.first(), place_in(hits, bench.target)) {
        (None, _) => {
            let german = "Die Bedeutungssuche war nicht beteiligt.";
            verdict(Stage::Vector, false, "vector_absent", german, None)
        }
        (Some(_), Some(1)) => {
            let german = "Der Bedeutung nach steht er vorn.";
            verdict(Stage::Vector, false, "vector_first", german, None)
        }
        (Some((_, best)), Some(rank)) => {
            let own = hits[rank - 1].1;
            let german = format!(
                "Der Bedeutung nach steht er auf Rang {rank} (Nähe {}, der erste hat {}).",
                decimal(own),
                decimal(*best)
            );
            verdict(Stage::Vector, true, "vector_behind", german, None)
        }
        (Some(_), None) => {
            let german = "Der Bedeutung nach liegt er zu weit weg, um gefunden zu werden.";
            verdict(Stage::Vector, true, "vector_not_found", german, None)
        }
    }
}

fn by_words(
    pipeline: &Pipeline,
    bench: &Bench<'_>,
    routed: &Routed,
    usual: &Ordered,
) -> StageVerdict {
    let hits = &usual.by_words;
    let missing = super::changes::missing(pipeline, routed, bench.section());
    let missing = if missing.is_empty() {
        String::new()
    } else {
        let words: Vec<String> = missing.iter().map(|word| format!("„{word}“")).collect();
        format!(" Ihm fehlen aus der Frage: {}.", words.join(", "))
    };
    match (hits.first(), place_in(hits, bench.target)) {
        (None, _) => {
            let german = "Die Wortsuche war nicht beteiligt oder fand nichts.";
            verdict(Stage::Lexical, false, "lexical_absent", german, None)
        }
        (Some(_), Some(1)) => {
            let german = "Den Wörtern nach steht er vorn.";
            verdict(Stage::Lexical, false, "lexical_first", german, None)
        }
        (Some(_), Some(rank)) => {
            let german = format!("Den Wörtern nach steht er auf Rang {rank}.{missing}");
            verdict(Stage::Lexical, true, "lexical_behind", german, None)
        }
        (Some(_), None) => {
            let german = format!("Die Wortsuche findet ihn nicht.{missing}");
            verdict(Stage::Lexical, true, "lexical_not_found", german, None)
        }
    }
}

/// Whether one channel has the section first and the weights of the other one cost it the place.
async fn fusion(
    pipeline: &Pipeline,
    bench: &mut Bench<'_>,
    routed: &Routed,
    usual: &Ordered,
) -> Result<StageVerdict, PipelineError> {
    let target = bench.target;
    let leads = |hits: &[(u32, f32)]| place_in(hits, target) == Some(1);
    let (vector, words) = (leads(&usual.by_vector), leads(&usual.by_words));
    let Weights { vector: v, lexical: l } = usual.weights;
    let shown = format!("Bedeutung {}, Wörter {}", decimal(v as f32), decimal(l as f32));
    if usual.rank(target) == Some(1) || !(vector || words) {
        let german = format!("Die Gewichte ({shown}) entscheiden hier nichts.");
        return Ok(verdict(Stage::Fusion, false, "fusion_not_decisive", german, None));
    }
    let only = if vector {
        Weights { vector: 1.0, lexical: 0.0 }
    } else {
        Weights { vector: 0.0, lexical: 1.0 }
    };
    let setting = Setting { weights: Some(only), ..Setting::usual(pipeline, routed) };
    let rank = bench.order(&setting).await?.rank(target);
    let channel = if vector { "Bedeutung" } else { "Wörter" };
    let german = format!(
        "Die Gewichte ({shown}) kosten ihn den ersten Platz, den er durch {channel} allein hätte."
    );
    Ok(verdict(Stage::Fusion, rank == Some(1), "fusion_weights_against", german, rank))
}

/// Two decimals with a comma.
fn decimal(value: f32) -> String {
    format!("{value:.2}").replace('.', ",")
}
