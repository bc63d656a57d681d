//! catalog run, catalog diff.

use std::process::Command;

use serde_json::Value;

use crate::harness::{Folder, Run};

/// Questions over the small compendium: all of them pass or warn.
const QUESTIONS: &str = "questions:
- {id: c-1, question: 'Welchen Nutzen hat die Fernleihe?', expect: {section: bibliothek#fernleihe, intent: benefit, group: Wirkung_und_Entwicklung}, origin: human, tier: title}
- {id: a-1, question: 'Wie kann ich ein Buch verlängern?', expect: {section: bibliothek#buecher-verlaengern}, origin: human, tier: title}
- {id: b-1, question: 'Der Drucker druckt nicht, was tun?', expect: {section: technik#der-drucker-druckt-nicht}, origin: human, tier: colloquial}
";

fn folder(questions: &str) -> Folder {
    let folder = Folder::new();
    folder.write("catalog/fragen.yaml", questions);
    folder
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn a_run_lists_every_question_by_id_with_the_figures_at_the_end() {
    let folder = folder(QUESTIONS);
    let run = folder.run(&["catalog", "run"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let ids: Vec<&str> = run
        .out
        .lines()
        .filter_map(|line| line.split_once("  ")?.1.split_once("  "))
        .map(|(id, _)| id)
        .collect();
    assert_eq!(ids[..3], ["a-1", "b-1", "c-1"], "{}", run.out);
    assert!(run.out.contains("\n3 questions: "), "{}", run.out);
    let again = folder.run(&["catalog", "run"]);
    assert_eq!(again.out, run.out, "equal input, equal output");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = folder(QUESTIONS);
    let with = |threads: &str| {
        let mut command = folder.command(&["catalog", "run", "--format", "json"]);
        folder.masked(&command.env("TOKIO_WORKER_THREADS", threads).output().expect("runs"))
    };
    assert_eq!(with("1").out, with("4").out);
}

#[test]
fn a_question_that_fails_gives_exit_code_one_and_says_why() {
    let folder = folder(
        "questions:
- {id: a, question: 'Wie lange ist samstags offen?', expect: {section: bibliothek#gibt-es-nicht}, origin: human, tier: title}
- {id: b, question: 'Wie wird das Wetter in Leipzig?', expect: {refused: true}, origin: human, tier: off_topic}
",
    );
    let run = folder.run(&["catalog", "run"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.out.starts_with(
            "FAIL  a  not found  unknown  -\n      Wie lange ist samstags offen?  catalog/fragen.yaml:2:3\n      \
             F-UNKNOWN-SECTION  not in the compendium: `bibliothek#gibt-es-nicht`\n"
        ),
        "{}",
        run.out
    );
    let json = json(&folder.run(&["catalog", "run", "--format", "json"]));
    assert_eq!(json["questions"][0]["findings"][0]["code"], "F-UNKNOWN-SECTION");
    assert_eq!(json["summary"]["codes"]["F-UNKNOWN-SECTION"], 1);
}

#[test]
fn reports_are_written_to_files() {
    let folder = folder(&QUESTIONS.replace("Der Drucker druckt nicht", "Der <b>Drucker</b> & ich"));
    for (form, file) in [("junit", "berichte/katalog.xml"), ("html", "berichte/katalog.html")] {
        let run = folder.run(&["catalog", "run", "--format", form, "--output", file]);
        assert!(run.out.starts_with(&format!("{file}: ")), "{run:?}");
    }
    let read = |file| std::fs::read_to_string(folder.path(file)).expect("written");
    let (xml, page) = (read("berichte/katalog.xml"), read("berichte/katalog.html"));
    assert!(xml.contains("name=\"catalog\" tests=\"3\""), "{xml}");
    assert!(page.contains("Der &lt;b&gt;Drucker&lt;/b&gt; &amp; ich"));
    // A parser that is not ours, where the machine has one.
    let parser = "import sys, xml.etree.ElementTree as tree; print(len(tree.parse(sys.argv[1]).findall('.//testcase')))";
    if let Ok(output) = Command::new("python3")
        .args(["-c", parser])
        .arg(folder.path("berichte/katalog.xml"))
        .output()
    {
        assert_eq!(String::from_utf8_lossy(&output.stdout), "3\n", "{output:?}");
    }
}

#[test]
fn the_page_filters_in_a_browser_where_the_machine_has_one() {
    let folder = folder(QUESTIONS);
    folder.run(&["catalog", "run", "--format", "html", "--output", "katalog.html"]);
    let page = folder.path("katalog.html");
    // A person who chose a tier before the page was read.
    let text = std::fs::read_to_string(&page).expect("written");
    let chosen =
        text.replace("<option value=\"colloquial\">", "<option value=\"colloquial\" selected>");
    assert_ne!(chosen, text);
    std::fs::write(&page, chosen).expect("written");
    let url = format!("file://{}", page.display());
    let browser = ["chromium-headless-shell", "chromium"].into_iter().find_map(|name| {
        let options = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", &url];
        Command::new(name).args(options).output().ok()
    });
    if let Some(output) = browser {
        let seen = String::from_utf8_lossy(&output.stdout);
        assert!(seen.contains(">1 von 3 Fragen</output>"), "{seen}");
        assert_eq!(seen.matches("<tr data-verdict").count(), 3);
        assert_eq!(seen.matches(" hidden=\"\"").count(), 2);
    }
}

/// Saves a baseline, changes a rule file, compares.
fn changed(file: &str, change: impl Fn(&str) -> String) -> (Folder, Run) {
    let folder = folder(QUESTIONS);
    let saved = folder.run(&["catalog", "run", "--save", "catalog/baselines/default.json"]);
    assert_eq!(saved.code, Some(0), "{saved:?}");
    let equal = folder.run(&["catalog", "diff", "catalog/baselines/default.json"]);
    assert_eq!(
        (equal.code, equal.out.as_str()),
        (
            Some(0),
            "\n0 worse, 0 of them passed before and fail; 0 better, 0 decided otherwise, 0 new, 0 gone\n"
        )
    );
    let before = std::fs::read_to_string(folder.path(file)).expect("readable");
    let after = change(&before);
    assert_ne!(before, after, "the change is one");
    folder.write(file, &after);
    let base = "catalog/baselines/default.json";
    let run = folder.run(&["catalog", "diff", base, "--tolerance", "1", "--blame"]);
    (folder, run)
}

/// A text without the lines that say this.
pub(crate) fn without_line(text: &str, wanted: &str) -> String {
    text.lines()
        .filter(|line| line.trim() != wanted)
        .fold(String::new(), |all, line| all + line + "\n")
}

/// The groups without the words by which they know the question about the benefit.
fn without_benefit_words(text: &str) -> String {
    without_line(
        &without_line(text, "- welchen nutzen"),
        "- {word: Nutzen, cased: true, weight: 1.5}",
    )
}

/// A rule file without the entry of this rule.
pub(crate) fn without_rule(text: &str, id: &str) -> String {
    let from = text.find(&format!("  - id: {id}\n")).expect("the rule");
    let rest = &text[from + 1..];
    let to = rest.find("\n  - id: ").map_or(text.len(), |at| from + 1 + at + 1);
    format!("{}{}", &text[..from], &text[to..])
}

#[test]
fn a_deleted_rule_is_named() {
    let (folder, run) =
        changed("rules/shortcuts.yaml", |text| without_rule(text, "benefit_nutzen_nomen"));
    assert!(
        run.out.contains("\n        intent benefit by rule benefit_nutzen_nomen → "),
        "{}",
        run.out
    );
    assert!(run.out.contains("\n  rule benefit_nutzen_nomen: 1 → 0  (c-1)\n"), "{}", run.out);
    assert!(run.out.contains("\n        turned by shortcuts.yaml\n"), "{}", run.out);
    assert!(run.out.contains("\nedited since the baseline\n  shortcuts.yaml\n"), "{}", run.out);
    let json = json(&folder.run(&[
        "catalog",
        "diff",
        "catalog/baselines/default.json",
        "--format",
        "json",
    ]));
    let causes = json["causes"].as_array().expect("causes");
    assert!(causes.iter().any(|cause| cause["what"] == "rule benefit_nutzen_nomen"), "{causes:?}");
}

#[test]
fn a_deleted_group_word_is_named() {
    let (_folder, run) =
        changed("rules/groups.yaml", |text| without_line(text, "- welchen nutzen"));
    assert!(
        run.out
            .contains("\n  Wirkung_und_Entwicklung: phrase “welchen nutzen” +2.5: 1 → 0  (c-1)\n"),
        "{}",
        run.out
    );
}

#[test]
fn the_file_that_turned_a_question_is_blamed() {
    let (folder, run) = changed("rules/groups.yaml", without_benefit_words);
    assert!(!folder.path("data/aside").exists(), "groups are no part of the index");
    assert!(run.out.contains("other   c-1  "), "{}", run.out);
    assert!(run.out.contains("\n        turned by groups.yaml\n"), "{}", run.out);
}

#[test]
fn a_changed_section_is_named() {
    let (folder, run) = changed("klein/bibliothek.md", |text| {
        text.replace("## Wozu die Fernleihe dient {#fernleihe", "## Regenschirme {#fernleihe")
            .replace("Der Nutzen der Fernleihe liegt auf der Hand: Was", "Was")
    });
    let section = "bibliothek#fernleihe changed (title, text), klein/bibliothek.md:18:1";
    let edited = format!("\nedited since the baseline\n  section {section}\n");
    assert!(run.out.contains(&edited), "{}", run.out);
    assert!(run.out.contains("worse   c-1  "), "{}", run.out);
    let blamed = format!("\n        turned by compendium: {section}\n");
    assert!(run.out.contains(&blamed), "{}", run.out);
    let left = std::fs::read_dir(folder.path("data/aside")).expect("it was used").count();
    assert_eq!(left, 0, "nothing is left behind");
}

#[test]
fn two_edits_that_turn_a_question_together_are_named_together() {
    let folder = folder(QUESTIONS);
    folder.run(&["catalog", "run", "--save", "basis.json"]);
    let rules = std::fs::read_to_string(folder.path("rules/shortcuts.yaml")).expect("readable");
    folder.write("rules/shortcuts.yaml", &without_rule(&rules, "benefit_nutzen_nomen"));
    let groups = std::fs::read_to_string(folder.path("rules/groups.yaml")).expect("readable");
    folder.write("rules/groups.yaml", &without_benefit_words(&groups));
    let run = folder.run(&["catalog", "diff", "basis.json", "--tolerance", "1", "--blame"]);
    assert!(
        run.out.contains("\n        turned by groups.yaml and shortcuts.yaml together\n"),
        "{}",
        run.out
    );
}

#[test]
fn a_baseline_from_elsewhere_is_blamed_with_what_git_has_of_it() {
    let folder = folder(QUESTIONS);
    let git = |arguments: &[&str]| {
        let names = ["-c", "user.name=wir", "-c", "user.email=wir@example.org"];
        let mut command = Command::new("git");
        command.current_dir(folder.path("")).args(names).args(arguments);
        command.output().map(|output| assert!(output.status.success(), "{output:?}"))
    };
    if git(&["init", "-q"]).is_err() {
        return; // a machine without git
    }
    folder.run(&["catalog", "run", "--save", "catalog/basis.json"]);
    git(&["add", "rules", "klein", "catalog"]).expect("git");
    git(&["commit", "-qm", "Stand"]).expect("git");
    std::fs::remove_dir_all(folder.path("data/baselines")).expect("another machine");
    let groups = std::fs::read_to_string(folder.path("rules/groups.yaml")).expect("readable");
    folder.write("rules/groups.yaml", &without_benefit_words(&groups));
    let diff = ["catalog", "diff", "catalog/basis.json", "--tolerance", "1", "--blame"];
    let run = folder.run(&diff);
    assert!(run.out.contains("\n        turned by groups.yaml\n"), "{run:?}");
    assert!(run.err.contains("the baseline is taken to be made of commit "), "{}", run.err);
    std::fs::remove_dir_all(folder.path(".git")).expect("a folder without git");
    let run = folder.run(&diff);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("are neither in data/baselines nor in git"), "{}", run.err);
}

#[test]
fn a_question_that_passed_and_fails_gives_exit_code_one() {
    let folder = folder(QUESTIONS);
    folder.run(&["catalog", "run", "--save", "basis.json"]);
    folder.write(
        "catalog/fragen.yaml",
        &QUESTIONS.replace(
            "section: bibliothek#buecher-verlaengern",
            "section: bibliothek#gibt-es-nicht",
        ),
    );
    let run = folder.run(&["catalog", "diff", "basis.json", "--tolerance", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.starts_with("worse   a-1  "), "{}", run.out);
    assert!(run.out.contains("F-UNKNOWN-SECTION"), "{}", run.out);
}

#[test]
fn what_can_not_be_compared_is_told() {
    let folder = folder(QUESTIONS);
    folder.write("leer.json", "{}");
    folder.write("nichts/fragen.yaml", "questions: []\n");
    for (arguments, wanted) in [
        (&["catalog", "diff", "nirgends.json"][..], "the baseline nirgends.json can not be read"),
        (&["catalog", "diff", "leer.json"][..], "leer.json is no baseline"),
        (&["catalog", "diff", "leer.json", "--tolerance", "2"][..], "write a number from 0 to 1"),
        (&["catalog", "run", "--catalog", "nirgends"][..], "nirgends can not be read"),
        (&["catalog", "run", "--catalog", "nichts"][..], "there is no question in nichts"),
        (&["catalog", "twins", "--catalog", "nichts"][..], "there is no question in nichts"),
        (&["catalog", "run", "--output", "leer.json/a"][..], "leer.json/a can not be written"),
        (&["catalog", "run", "--format", "xml"][..], "invalid value 'xml'"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.err.contains(wanted), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn twins_of_all_questions_are_asked_and_every_section_that_one_loses_is_told() {
    let both = "- {id: d-1, question: 'Wie verlängere ich Bücher und wie ändere ich meine E-Mail-Adresse?', expect: {sections: [bibliothek#buecher-verlaengern, technik#e-mail-adresse-aendern]}, origin: human, tier: multi_part}
- {id: e-1, question: 'Wie wird das Wetter in Leipzig?', expect: {refused: true}, origin: human, tier: off_topic}
";
    let folder = folder(&format!("{QUESTIONS}{both}"));
    let run = folder.run(&["catalog", "twins", "--format", "json"]);
    let report = json(&run);
    assert_eq!(report["questions"], 5, "each section of a question in parts: {report}");
    let broken = report["broken"].as_array().expect("a list");
    let kinds = report["kinds"].as_object().expect("figures by kind");
    let sum = |name: &str| kinds.values().filter_map(|kind| kind[name].as_u64()).sum::<u64>();
    assert_eq!(sum("broken"), broken.len() as u64);
    for (kind, asked) in [("transcribed", 3), ("lower_case", 5), ("typo", 5)] {
        assert_eq!(kinds[kind]["asked"], asked, "{report}");
    }
    for twin in broken {
        assert!(twin["lost"].as_str().is_some_and(|lost| lost.contains('#')), "{twin}");
    }
    assert_eq!(run.code, Some(i32::from(!broken.is_empty())), "{run:?}");
    let text = folder.run(&["catalog", "twins"]);
    assert_eq!(text.code, run.code);
    let held = format!("{} of 5 questions find their section in the top 3", report["held"]);
    assert!(text.out.contains(&held), "{}", text.out);
    assert!(text.err.starts_with("0 texts embedded, "), "{}", text.err);
}
