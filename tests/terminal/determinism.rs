//! Equal input, equal output: in any process, in any folder, in any spelling of the files.

use std::fs;

use unicode_normalization::UnicodeNormalization;

use crate::harness::Folder;

const QUESTIONS: [&str; 3] =
    ["Welchen Nutzen hat die Fernleihe?", "drucker leuchtet rot", "Öffnungszeiten am Samstag"];

fn answers(folder: &Folder) -> Vec<String> {
    QUESTIONS
        .iter()
        .map(|question| folder.run(&["search", "--format", "json", question]).out)
        .collect()
}

#[test]
fn two_builds_answer_alike() {
    let (one, other) = (Folder::new(), Folder::new());
    one.run(&["index"]);
    other.run(&["index"]);
    assert_eq!(answers(&one), answers(&other));
    let digest = |folder: &Folder| {
        let name = fs::read_to_string(folder.path("data/index/current")).expect("a pointer");
        let vectors = folder.path("data/index").join(name.trim()).join("prefixed.usearch");
        (name, fs::read(vectors).expect("readable"))
    };
    assert_eq!(digest(&one), digest(&other), "generation and vector index, byte for byte");
}

#[test]
fn line_ends_marks_and_composition_of_the_files_do_not_matter() {
    let plain = Folder::new();
    let windows = Folder::new();
    for name in ["klein/bibliothek.md", "klein/technik.md"] {
        let text = fs::read_to_string(windows.path(name)).expect("readable");
        let decomposed: String = text.nfd().collect();
        windows.write(name, &format!("\u{feff}{}", decomposed.replace('\n', "\r\n")));
    }
    assert_eq!(answers(&plain), answers(&windows));
}

#[test]
fn the_order_in_which_files_were_written_does_not_matter() {
    let (forth, back) = (Folder::new(), Folder::new());
    for name in ["klein/technik.md", "klein/bibliothek.md"] {
        let text = fs::read_to_string(back.path(name)).expect("readable");
        fs::remove_file(back.path(name)).expect("removed");
        back.write(name, &text);
    }
    assert_eq!(answers(&forth), answers(&back));
}
