use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{State, preview};
use crate::catalog::{Baseline, Cause, Diff, Expected, Origin, Question, Status, run};
use crate::config::{self, Config, Layer};
use crate::domain::{Place, SectionId};
use crate::indexing::{Index, Store};
use crate::pipeline::Pipeline;
use crate::pipeline::assemble::{Assembly, Listener};
use crate::pipeline::snapshot::Snapshot;
use crate::pipeline::sources::Sources;

type Edit = Box<dyn Fn(&str) -> String>;

struct Silent;

impl Listener for Silent {
    fn building(&mut self, _: &str) {}
    fn waiting(&mut self) {}
    fn progress(&mut self, _: usize, _: usize) {}
}

/// Shipped rules with few labelled examples, over the small compendium.
fn config(folder: &Path) -> Config {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = folder.join("rules");
    std::fs::create_dir_all(&rules).expect("made");
    for from in [root.join("rules"), root.join("tests/fixtures/rules")] {
        for entry in std::fs::read_dir(from).expect("a folder") {
            let path = entry.expect("an entry").path();
            std::fs::copy(&path, rules.join(path.file_name().expect("a name"))).expect("copied");
        }
    }
    let over = Layer {
        rules: Some(rules),
        compendium: Some(root.join("tests/fixtures/klein")),
        data_dir: Some(folder.join("data")),
        ..Layer::default()
    };
    let nothing: PathBuf = folder.join("wegweiser.yaml");
    std::fs::write(&nothing, "{}\n").expect("written");
    config::load(Some(&nothing), over).expect("sound")
}

/// With a rule and without, in parts, with words of one group and of several, off topic.
fn questions() -> Vec<Question> {
    [
        "Welchen Nutzen hat die Fernleihe?",
        "Wozu dient die Fernleihe?",
        "Wie kann ich ein Buch verlängern?",
        "Wie lange ist die Bibliothek offen, und wer hilft bei Problemen mit dem Drucker?",
        "Der Drucker druckt nicht, was tun?",
        "Warum druckt der Drucker nicht?",
        "E-Mail-Adresse ändern",
        "Was ist der Unterschied zwischen Leihfrist und Fernleihe?",
        "Leihfrist Plan Woche",
        "Was hilft gegen Aufschieben?",
        "Was bringt mir das auf Dauer?",
        "Wer hat das erforscht?",
        "Wie wird das Wetter in Leipzig?",
        "hallo",
    ]
    .iter()
    .enumerate()
    .map(|(at, text)| {
        let section = SectionId::try_from("bibliothek#fernleihe").expect("an id");
        Question {
            id: format!("q-{at:02}"),
            question: (*text).to_owned(),
            expected: Expected::Section { section, acceptable: Vec::new() },
            intent: None,
            also: None,
            group: None,
            origin: Origin::Human,
            tier: "title".to_owned(),
            status: Status::Settled,
            source: None,
            place: Place::start_of("fragen.yaml"),
        }
    })
    .collect()
}

async fn pipeline(config: &Config, assembly: &Assembly, snapshot: &Snapshot) -> Arc<Pipeline> {
    let sources = Sources::of(snapshot).expect("sound");
    let assembly = assembly.with_sources(config, sources).expect("no llama3 to reach");
    let task = tokio::task::spawn_blocking(move || {
        let index: Index = assembly.index_aside(&mut Silent).expect("built");
        (assembly, index)
    });
    let (assembly, index) = task.await.expect("no panic");
    Arc::new(assembly.pipeline(config, index))
}

/// The state with this line of a rule file replaced, or taken away; every edit must be one.
fn edited(folder: &Path, before: &Snapshot, file: &str, edit: &dyn Fn(&str) -> String) -> Snapshot {
    let path = folder.join("rules").join(file);
    let text = std::fs::read_to_string(&path).expect("readable");
    let other = edit(&text);
    assert_ne!(text, other, "{file}");
    std::fs::write(&path, other).expect("written");
    let over = folder.join("rules");
    let compendium = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/klein");
    let sources = Sources::read(Some(&over), Some(&compendium)).expect("sound");
    std::fs::write(&path, text).expect("put back");
    before.with_files(&Snapshot::of(&sources), &[path]).expect("a rule file")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_comes_out_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(folder.path());
    let mut assembly = Assembly::prepare(&config).await.expect("sound");
    assembly.remember_questions().expect("nobody else remembers here");
    let before = Snapshot::of(assembly.sources());
    let build = tokio::task::spawn_blocking(move || {
        assembly.index(&mut Silent).expect("built");
        assembly
    });
    let assembly = build.await.expect("no panic");
    let published = Store::new(&config.data_dir).current().expect("readable");
    let was = pipeline(&config, &assembly, &before).await;
    let asked = questions();
    let all_before = run(&was, &asked, |_| ()).await.expect("asked");

    // Every rule that decides a question, taken away.
    let rules: BTreeSet<String> = all_before
        .questions
        .iter()
        .filter_map(|outcome| outcome.rule.as_ref().map(|rule| rule.id.clone()))
        .collect();
    assert!(rules.len() > 3, "{rules:?}");
    let line = |from: &'static str, to: &'static str| -> Edit {
        Box::new(move |text| text.replacen(from, to, 1))
    };
    let mut edits: Vec<(&str, Edit)> = vec![
        ("groups.yaml", Box::new(|text| without_words(text, &["Nutzen", "welchen nutzen"]))),
        (
            "groups.yaml",
            Box::new(|text| without_words(text, &["hilft gegen", "ufschieb", "Problem"])),
        ),
        ("groups.yaml", Box::new(|text| without_words(text, &["Plan", "wie lange", "Woche"]))),
        ("groups.yaml", line("      - welchen nutzen\n", "")),
        ("groups.yaml", line("word_weight: 1.0", "word_weight: 1.5")),
        ("groups.yaml", line("phrase_weight: 2.5", "phrase_weight: 2")),
        ("shortcuts.yaml", line("priority: 96", "priority: 1")),
    ];
    for id in rules {
        edits.push(("shortcuts.yaml", Box::new(move |text| without(text, &id))));
    }
    // Every bias, one after the other.
    let groups = std::fs::read_to_string(config.rules.clone().expect("named").join("groups.yaml"))
        .expect("readable");
    let biases: Vec<String> = bias_lines(&groups);
    assert!(biases.len() > 5, "{biases:?}");
    for bias in biases {
        let without = bias.clone();
        edits.push(("groups.yaml", Box::new(move |text| text.replacen(&without, "", 1))));
    }

    let (mut turned_in_all, mut left_out) = (0, 0);
    for (file, edit) in edits {
        let after = edited(folder.path(), &before, file, &*edit);
        let is = pipeline(&config, &assembly, &after).await;
        let state = |snapshot, pipeline| State { snapshot, pipeline };
        let shown = preview(state(&before, &was), state(&after, &is), &asked, |_, _| ());
        let shown = shown.await.expect("asked");
        assert!(shown.all_because.is_none());
        let all_after = run(&is, &asked, |_| ()).await.expect("asked");
        let full = Diff::new(&Baseline::of(&all_before), &all_after, 1.0);
        let ids = |turned: &mut dyn Iterator<Item = String>| turned.collect::<BTreeSet<String>>();
        let wanted = ids(&mut full.turned().map(|turned| turned.id.clone()));
        let previewed = [&shown.worse, &shown.better, &shown.otherwise].into_iter().flatten();
        assert_eq!(ids(&mut previewed.map(|turned| turned.id.clone())), wanted, "{file}");
        // Also what was paid to a group and turned nothing.
        let reasons = |causes: &[Cause]| -> Vec<(String, Vec<String>)> {
            causes.iter().map(|cause| (cause.what.clone(), cause.questions.clone())).collect()
        };
        let (mut previewed, mut wanted_reasons) = (reasons(&shown.causes), reasons(&full.causes));
        previewed.sort();
        wanted_reasons.sort();
        assert_eq!(previewed, wanted_reasons, "{file}");
        turned_in_all += wanted.len();
        left_out += asked.len() - shown.asked;
    }
    assert!(turned_in_all > 10, "the edits turn questions: {turned_in_all}");
    assert!(left_out > 100, "and most need not be asked: {left_out}");
    assert_eq!(Store::new(&config.data_dir).current().expect("readable"), published);
}

/// The groups without the entries of lists that contain one of these.
fn without_words(text: &str, words: &[&str]) -> String {
    let names = |line: &&str| {
        line.trim_start().starts_with("- ") && words.iter().any(|word| line.contains(word))
    };
    let kept = text.lines().filter(|line| !names(line));
    kept.fold(String::new(), |all, line| all + line + "\n")
}

/// The shortcut rules without one of them.
fn without(text: &str, id: &str) -> String {
    let from = text.find(&format!("  - id: {id}\n")).expect("the rule");
    let rest = &text[from + 1..];
    let to = rest.find("\n  - id: ").map_or(text.len(), |at| from + 1 + at + 1);
    format!("{}{}", &text[..from], &text[to..])
}

/// The lines below `intent_bias` that give one intent its biases.
fn bias_lines(text: &str) -> Vec<String> {
    let inside = text.split("\nintent_bias:\n").nth(1).expect("there are biases");
    let lines = inside.lines().take_while(|line| line.starts_with(' '));
    lines.map(|line| format!("{line}\n")).collect()
}
