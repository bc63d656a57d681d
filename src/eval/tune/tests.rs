use super::*;
use crate::domain::{Profile, SectionId};
use std::collections::BTreeMap;

fn profiles() -> BTreeMap<String, Profile> {
    let profile = |name: &str| Profile {
        name: name.to_owned(),
        k: 6,
        vector: 0.8,
        lexical: 0.2,
        fields: "title^1.2 text".to_owned(),
        diversity: 0.3,
        neighbours: 0,
        per_item: false,
    };
    ["causal", "set"].map(|name| (name.to_owned(), profile(name))).into()
}

/// A question that is found first from `from` on and fourth below; now the share is 0.2 everywhere.
fn question(source: usize, at: usize, profile: &str, from: f64) -> Observed {
    let rank = |lexical: f64| if lexical >= from { 1.0 } else { 0.25 };
    let shares: Vec<f64> = (0..=STEPS).map(|step| rank(share(step))).collect();
    Observed {
        source,
        section: SectionId::try_from(format!("d#s{at}").as_str()).expect("an id"),
        profile: profile.to_owned(),
        now: rank(0.2),
        by_share: Fusion::ALL.into_iter().map(|fusion| (fusion, shares.clone())).collect(),
    }
}

fn learnt(observed: &[Observed]) -> Report {
    let sources = vec!["a".to_owned(), "b".to_owned()];
    learn(Fusion::Linear, sources, &profiles(), observed, Vec::new())
}

fn row<'a>(report: &'a Report, name: &str) -> &'a Row {
    report.profiles.iter().find(|row| row.name == name).expect("a row")
}

#[test]
fn a_clear_gain_of_one_profile_changes_its_line_and_no_other() {
    let mut observed: Vec<Observed> = (0..40).map(|at| question(0, at, "causal", 0.5)).collect();
    // Found at the present share only: more lexical weight harms them, so that no share fits all.
    for at in 40..200 {
        let mut other = question(0, at, "set", 0.0);
        for shares in other.by_share.values_mut() {
            shares[5..].fill(0.5);
        }
        observed.push(other);
    }
    let report = learnt(&observed);
    let causal = row(&report, "causal");
    assert_eq!((causal.n, causal.learnt, causal.verdict), (40, 0.5, Verdict::Better));
    assert_eq!((causal.mrr_now, causal.mrr_held_out), (0.25, 1.0));
    let set = row(&report, "set");
    assert_eq!((set.learnt, set.verdict), (0.2, Verdict::WithinNoise));
    assert_eq!(report.fusions[0].verdict, Verdict::WithinNoise);
    let patch = patch(&report, &profiles());
    let lines: Vec<&str> =
        patch.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
    assert_eq!(
        lines,
        [
            "profiles:",
            "  causal: {k: 6, vector: 0.5, lexical: 0.5, fields: 'title^1.2 text', diversity: 0.3, neighbours: 0}"
        ]
    );
    assert!(patch.contains("# causal, 40 questions: 0.250 now, 1.000 held out"), "{patch}");
}

#[test]
fn a_gain_of_all_is_told_once_and_changes_every_profile() {
    let profile = |at: usize| if at.is_multiple_of(2) { "causal" } else { "set" };
    let observed: Vec<Observed> = (0..80).map(|at| question(0, at, profile(at), 0.4)).collect();
    let report = learnt(&observed);
    assert_eq!((report.fusions[0].learnt, report.fusions[0].verdict), (0.4, Verdict::Better));
    assert!(
        report.profiles.iter().all(|row| row.verdict == Verdict::WithinNoise),
        "no more to gain"
    );
    assert_eq!(patch(&report, &profiles()).matches("vector: 0.6, lexical: 0.4").count(), 2);
}

#[test]
fn noise_and_few_questions_change_nothing() {
    let few: Vec<Observed> = (0..29).map(|at| question(0, at, "causal", 0.5)).collect();
    assert_eq!(row(&learnt(&few), "causal").verdict, Verdict::TooFew);
    // As many lose as win.
    let noise: Vec<Observed> = (0..60)
        .map(|at| {
            let mut question = question(0, at, "causal", 0.5);
            if at.is_multiple_of(2) {
                question.now = 1.0;
                for rank in question.by_share.values_mut().flatten() {
                    *rank = 1.25 - *rank;
                }
            }
            question
        })
        .collect();
    let report = learnt(&noise);
    assert_eq!(row(&report, "causal").verdict, Verdict::WithinNoise);
    let patch = patch(&report, &profiles());
    assert!(patch.ends_with("# Nothing is better outside the noise.\nprofiles: {}\n"), "{patch}");
}

#[test]
fn a_fusion_that_loses_is_told_to_be_worse() {
    let mut observed: Vec<Observed> = (0..60).map(|at| question(0, at, "causal", 0.0)).collect();
    for question in &mut observed {
        question.by_share.insert(Fusion::Rrf, vec![0.5; STEPS + 1]);
    }
    let report = learnt(&observed);
    let verdicts: Vec<Verdict> = report.fusions.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts[..3], [Verdict::WithinNoise; 3]);
    assert_eq!(verdicts[3], Verdict::Worse);
}

#[test]
fn a_gain_that_harms_one_source_is_no_gain() {
    let mut observed: Vec<Observed> = (0..200).map(|at| question(0, at, "causal", 0.5)).collect();
    for at in 0..40 {
        let mut other = question(1, at, "causal", 0.0);
        for shares in other.by_share.values_mut() {
            shares[8..].fill(0.5);
        }
        observed.push(other);
    }
    let report = learnt(&observed);
    assert_eq!(row(&report, "causal").verdict, Verdict::HarmsOneSource);
    assert!(row(&report, "causal").sources[1].gain.high < 0.0);
    assert!(patch(&report, &profiles()).ends_with("profiles: {}\n"));
}

#[test]
fn the_questions_of_a_section_are_in_one_fold_and_the_folds_are_even() {
    let observed: Vec<Observed> =
        (0..120).map(|at| question(at % 2, at % 60, "causal", 0.5)).collect();
    let folds = learn::folds(&observed.iter().collect::<Vec<_>>());
    assert!((0..60).all(|at| folds[at] == folds[at + 60]), "{folds:?}");
    let sizes: Vec<usize> =
        (0..5).map(|fold| folds.iter().filter(|own| **own == fold).count()).collect();
    assert_eq!(sizes, [24; 5]);
}
