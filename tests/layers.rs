//! Imports go one way; this compares `use crate::…` with the order that ARCHITECTURE.md draws.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Height of each module; a module may use only lower ones, and itself.
fn heights() -> BTreeMap<&'static str, u8> {
    let layers: &[&[&str]] = &[
        &["domain"],
        &["ollama", "queue", "yaml"],
        &["analysis"],
        &["normalise"],
        &[
            "access",
            "config",
            "telemetry",
            "rules",
            "intent",
            "groups",
            "embedding",
            "enrichment",
            "query_log",
            "retrieval",
            "compendium",
        ],
        &["indexing"],
        &["pipeline"],
        &["chat", "eval"],
        &["catalog"],
        &["gaps"],
        &["http"],
        &["cli"],
    ];
    let height = |at: usize| u8::try_from(at).expect("few layers");
    (0..)
        .zip(layers)
        .flat_map(|(at, names)| names.iter().map(move |name| (*name, height(at))))
        .collect()
}

fn imports(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("readable");
    text.match_indices("crate::")
        .map(|(at, found)| {
            let rest = &text[at + found.len()..];
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        })
        .collect()
}

fn visit(folder: &Path, check: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            visit(&path, check);
        } else {
            check(&path);
        }
    }
}

#[test]
fn imports_go_one_way() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let heights = heights();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    visit(&source, &mut |file| {
        let inside = file.strip_prefix(&source).expect("below src");
        let own =
            inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        let own = own.trim_end_matches(".rs");
        let Some(height) = heights.get(own) else { return };
        for used in imports(file) {
            let Some(other) = heights.get(used.as_str()) else { continue };
            seen += 1;
            if used != own && other >= height {
                wrong.push(format!("{} uses {used}", inside.display()));
            }
        }
    });
    assert!(seen > 100, "the test must see imports, it saw {seen}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
