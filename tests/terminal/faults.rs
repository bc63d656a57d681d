//! What is wrong is told with place and mend, all of it, and the exit code is 2.

use crate::harness::Folder;

#[test]
fn all_problems_of_a_compendium_are_told_at_once() {
    let folder = Folder::new();
    folder.write(
        "kaputt/a.md",
        "---\ntitle: X\ngroup: Wirkung_und_Entwiklung\nupdated: gestern\n---\n\n## A {#a}\n\nText.\n\n## B {#a}\n\nText.\n",
    );
    folder.write("kaputt/b.md", "---\ntitle: Y\n\n## Ohne Ende\n");
    let run = folder.run(&["--compendium", "kaputt", "index"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert_eq!(
        run.err,
        "error: 5 problems to mend:\n\
         kaputt:1:1: nothing was loaded: 2 files need a correction; good files: 0 [compendium-not-loaded]\n  \
         mend: correct what is listed below; no file is good\n\
         kaputt/a.md:3:8: the group `Wirkung_und_Entwiklung` is not in rules/groups.yaml [group-misspelt]\n  \
         mend: did you mean `Wirkung_und_Entwicklung`?\n\
         kaputt/a.md:4:10: `gestern` is not a day [front-matter-date]\n  \
         mend: write year, month and day, for example `2025-03-31`\n\
         kaputt/a.md:11:1: the id `a#a` is taken by kaputt/a.md:7:1 [section-duplicate-id]\n  \
         mend: give one of the two another id\n\
         kaputt/b.md:1:1: the front matter that begins here has no end [front-matter-unclosed]\n  \
         mend: write a line `---` after the last key\n"
    );
    assert!(!folder.path("data/index/current").exists(), "nothing is indexed half");
}

#[test]
fn a_pipe_or_a_device_in_the_compendium_is_told_and_not_read() {
    let folder = Folder::new();
    let device = folder.path("klein/endlos.md");
    std::os::unix::fs::symlink("/dev/zero", device).expect("linked");
    let run = folder.run(&["index"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("it is a pipe or a device, not a file"), "{}", run.err);
}

#[test]
fn every_fault_of_a_rule_has_its_place_and_mend() {
    let rule = |id: &str, intent: &str, pattern: &str, priority: i32| {
        format!(
            "  - id: {id}\n    intent: {intent}\n    pattern: {pattern}\n    priority: {priority}\n    reason: 'x'\n    positive: ['a']\n    negative: ['b']\n"
        )
    };
    for (why, rules, wanted) in [
        (
            "an intent that is not there",
            rule("r", "whyy", "'^x'", 1),
            "shortcuts.yaml:3:13: intent `whyy` is not in intents.yaml [rule-unknown-intent]\n  mend: did you mean `why`?",
        ),
        (
            "look-around",
            rule("r", "why", "'x(?=y)'", 1),
            "mend: look-around is not supported: put what must not match into `unless`",
        ),
        (
            "double quotes",
            rule("r", "why", "\"\\bx\"", 1),
            "the pattern holds the control character U+0008 [rule-control-character]",
        ),
        (
            "an empty alternative",
            rule("r", "why", "'(urlaub|)'", 1),
            "matches the empty text, so it would decide every question [rule-matches-everything]",
        ),
        ("everything", rule("r", "why", "'.*'", 1), "[rule-matches-everything]"),
        (
            "one id twice",
            rule("r", "why", "'^x'", 1) + &rule("r", "why", "'^y'", 2),
            "shortcuts.yaml:9:5: rule id `r` is taken by [folder]/rules/shortcuts.yaml:2:5 [rule-duplicate-id]",
        ),
        (
            "a tie",
            rule("r", "why", "'^x'", 5) + &rule("s", "how", "'^y'", 5),
            "has priority 5 like rule `r` (intent `why`)",
        ),
        ("an unknown key", rule("r", "why", "'^x'", 1).replace("reason", "raison"), "unknown"),
        ("a key twice", rule("r", "why", "'^x'", 1) + "    reason: 'y'\n", "duplicate"),
        ("a tab", "\t- id: r\n".to_owned(), "tab"),
    ] {
        let folder = Folder::new();
        folder.write("rules/shortcuts.yaml", &format!("rules:\n{rules}"));
        let rules = folder.path("rules").display().to_string();
        let run = folder.run(&["--rules", &rules, "index"]);
        assert_eq!(run.code, Some(2), "{why}: {run:?}");
        assert!(run.err.to_lowercase().contains(&wanted.to_lowercase()), "{why}: {}", run.err);
    }
}

#[test]
fn a_weight_that_is_no_number_is_refused() {
    for weight in [".nan", ".inf", "-1", "1e9"] {
        let folder = Folder::new();
        let groups = std::fs::read_to_string(folder.path("rules/groups.yaml")).expect("readable");
        folder.write(
            "rules/groups.yaml",
            &groups.replace("word_weight: 1.0", &format!("word_weight: {weight}")),
        );
        let run = folder.run(&["index"]);
        assert_eq!(run.code, Some(2), "{weight}: {run:?}");
        assert!(run.err.contains("rules/groups.yaml:"), "{weight}: {}", run.err);
    }
}

#[test]
fn settings_and_questions_that_can_not_be_are_told() {
    let folder = Folder::new();
    for (arguments, wanted) in [
        (
            &["--config", "nirgends.yaml", "index"][..],
            "nirgends.yaml:1:1: the settings can not be read",
        ),
        (&["search", " \u{200b}"][..], "error: the question is empty\n"),
        (&["search", "--group", "Wirkung", "x"][..], "did you mean `Wirkung_und_Entwicklung`?"),
        (&["search", "-k", "0", "x"][..], "`k` must be from 1 to 100"),
        (&["--compendium", "nirgends", "index"][..], "nirgends"),
        (&["serve", "--listen", "hier"][..], "invalid value 'hier'"),
        (&["finde"][..], "unrecognized subcommand 'finde'"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}: {run:?}");
        assert!(run.err.contains(wanted), "{arguments:?}: {}", run.err);
    }
    folder.write("wegweiser.yaml", "listen: hier\nquestion_limitt: 5\n");
    let run = folder.run(&["index"]);
    assert!(
        run.err.contains("wegweiser.yaml:2:1")
            && run.err.contains("did you mean `question_limit`?"),
        "{}",
        run.err
    );
}
