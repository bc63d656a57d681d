//! What nobody has written: a new section with its group, and what it has to answer.

use std::collections::BTreeMap;

use super::{Cluster, Proposal, role};
use crate::domain::Section;
use crate::gaps::live::label::Label;
use crate::gaps::{Action, Evidence, Mend};

/// Points of an outline.
const POINTS: usize = 5;

impl Cluster<'_> {
    pub(super) fn new_section(&self, label: &Label) -> Proposal {
        let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
        let mut nearest: Vec<&Section> = Vec::new();
        for one in self.looked {
            for (at, id) in one.hits.iter().take(5).enumerate() {
                let Some(section) = self.section(id) else { continue };
                if let Some(group) = &section.group {
                    let vote = one.bad.failed as f64 / (at as f64 + 1.0);
                    *votes.entry(group.as_str()).or_default() += vote;
                }
                if at == 0 && nearest.len() < 2 && !nearest.iter().any(|s| s.id == section.id) {
                    nearest.push(section);
                }
            }
            if let Some(group) = one.groups.first() {
                *votes.entry(group).or_default() += one.bad.failed as f64;
            }
        }
        let best = votes.iter().max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)));
        let group = best.map(|(group, _)| (*group).to_owned());
        let all: f64 = votes.values().sum();
        let points = self.outline(label);
        let place = group.as_ref().map_or_else(String::new, |group| {
            format!(" in der Gruppe {}", group.replace('_', " "))
        });
        let text = format!(
            "Einen neuen Abschnitt „{}“{place} schreiben: {}.",
            label.text,
            points.join("; ")
        );
        let mut mend = Mend::new(Action::NewSection, text);
        mend.outline = points;
        let mut evidence = vec![Evidence::figure(
            "Anteil der Fragen ohne Antwort im heutigen Kompendium",
            1.0 - self.share(|one| one.answerable),
            None,
        )];
        if let (Some(group), Some((_, votes))) = (&group, best) {
            let what = format!("Stimmen der nächsten Abschnitte für {}", group.replace('_', " "));
            evidence.push(Evidence::figure(what, votes / all, None));
        }
        evidence.extend(
            nearest.into_iter().map(|near| role(near, "liegt am nächsten, antwortet nicht")),
        );
        mend.group = group;
        (mend, evidence)
    }

    /// What is asked of the topic, the most frequent kind of question first.
    pub(super) fn outline(&self, label: &Label) -> Vec<String> {
        let topic = label.terms.first().map_or(label.text.as_str(), |told| told.surface.as_str());
        let mut kinds: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
        for one in self.looked {
            let kind = kinds.entry(&one.intent).or_insert((0.0, &one.bad.question));
            kind.0 += one.bad.failed as f64;
        }
        let mut kinds: Vec<(&str, (f64, &str))> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then_with(|| a.0.cmp(b.0)));
        let point = |(intent, (_, question)): (&str, (f64, &str))| {
            let what = match intent {
                "definition" => format!("was {topic} ist und was nicht"),
                "how" => format!("wie man bei {topic} vorgeht, Schritt für Schritt"),
                "why" => format!("Ursachen und Gründe von {topic}"),
                "benefit" => format!("was {topic} bringt"),
                "troubleshoot" => format!("was bei Schwierigkeiten mit {topic} hilft"),
                "quantity" => format!("Zahlen und Umfang zu {topic}"),
                "who" => format!("wer mit {topic} zu tun hat"),
                "when" => format!("Zeitpunkt und Dauer bei {topic}"),
                "where" => format!("wo {topic} zu finden ist"),
                "which_list" => format!("welche Arten von {topic} es gibt"),
                "compare" => format!("wovon sich {topic} unterscheidet"),
                "condition" => format!("wovon {topic} abhängt"),
                "yes_no" => format!("was für und was gegen {topic} spricht"),
                "example" => format!("Beispiele für {topic}"),
                _ => format!("allgemein zu {topic}"),
            };
            format!("{what} („{question}“)")
        };
        kinds.into_iter().take(POINTS).map(point).collect()
    }
}
