//! `wegweiser catalog generate` and `eval trec`, without a model.

use serde_json::Value;

use crate::harness::Folder;

#[test]
fn a_check_says_what_would_be_written_and_writes_nothing() {
    let folder = Folder::new();
    let check = folder.run(&["catalog", "generate", "--check"]);
    assert_eq!(check.code, Some(1), "{check:?}");
    assert!(check.out.contains("catalog/generiert.yaml would change"), "{}", check.out);
    assert!(!folder.path("catalog").exists());

    let written = folder.run(&["catalog", "generate"]);
    assert_eq!(written.code, Some(0), "{written:?}");
    let again = folder.run(&["catalog", "generate", "--check", "--format", "json"]);
    let report: Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!((again.code, &report["changed"]), (Some(0), &Value::Bool(false)));
    assert_eq!(report["remarks"], Value::Array(Vec::new()));
    let left = std::fs::read_dir(folder.path("catalog")).expect("a folder").count();
    assert_eq!(left, 1, "nothing stays beside the file");
}

#[test]
fn a_section_that_is_gone_is_a_finding() {
    let folder = Folder::new();
    folder.write(
        "alt/eins.md",
        "---\ntitle: Eins\n---\n\n## Chunking {#c}\n\nText.\n\n## Transfer {#t}\n\nText.\n",
    );
    assert_eq!(folder.run(&["--compendium", "alt", "catalog", "generate"]).code, Some(0));
    folder.write("alt/eins.md", "---\ntitle: Eins\n---\n\n## Chunking {#c}\n\nText.\n");
    let run = folder.run(&["--compendium", "alt", "catalog", "generate"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.out.contains("section gone"), "{}", run.out);
    assert!(run.out.contains("eins#t"), "{}", run.out);
}

#[test]
fn measures_of_files_in_the_form_of_trec() {
    let folder = Folder::new();
    folder.write("qrels", "1 0 a 2\n1 0 b 1\n2 0 c 1\n");
    folder.write("run", "1 Q0 b 1 0.9 x\n1 Q0 a 2 0.8 x\n");
    let run = folder.run(&["eval", "trec", "--qrels", "qrels", "--run", "run"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.out.starts_with("2 topics, the first 10 ranks\n  recall    0.5000\n"),
        "{}",
        run.out
    );
    assert!(run.err.contains("1 topics without results, counted as 0: 2"), "{}", run.err);

    folder.write("run", "1 Q0 b 1 viel x\n1 Q0\n");
    let run = folder.run(&["eval", "trec", "--qrels", "qrels", "--run", "run"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("run:1:1: `viel` is no finite number [run-score]"), "{}", run.err);
    assert!(run.err.contains("run:2:1:"), "{}", run.err);
}

#[test]
fn a_model_that_is_not_named_or_not_there_is_told_and_the_headings_still_give_questions() {
    let folder = Folder::new();
    let unnamed = folder.run(&["catalog", "generate", "--with-llm"]);
    assert_eq!(unnamed.code, Some(2), "{unnamed:?}");
    assert!(unnamed.err.contains("--with-llm needs a server"), "{}", unnamed.err);
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", free.local_addr().expect("bound"));
    drop(free);
    let away = folder.run(&["--ollama-url", &url, "catalog", "generate", "--with-llm"]);
    assert_eq!(away.code, Some(2), "{away:?}");
    assert!(away.err.contains(&format!("nobody answers at {url}")), "{}", away.err);
    assert!(away.out.contains("generiert.yaml is up to date: 5 sections"), "{}", away.out);
    assert!(!folder.path("catalog/generiert-llm.yaml").exists(), "no file without a question");
}
