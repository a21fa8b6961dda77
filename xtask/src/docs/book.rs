//! Whether the pages of `docs` are one book: its summary lists each of them, and Rust code on them is compiled.

use super::target;
use crate::files::found;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};
use std::collections::{BTreeMap, BTreeSet};

const FOLDER: &str = "docs/";
const SUMMARY: &str = "docs/SUMMARY.md";

/// The pages that a source includes, so that rustdoc tests their code.
pub(super) fn included(source: &str) -> Vec<&str> {
    found(r#"#\[doc = include_str!\("(?:\.\./)*(docs/[^"]+)"\)\]"#, source)
}

/// What keeps these pages from being one book. Those in `tested` are included by a source.
pub(super) fn missing(pages: &BTreeMap<String, String>, tested: &BTreeSet<String>) -> Vec<String> {
    let links = Parser::new(pages.get(SUMMARY).map_or("", String::as_str)).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(target(SUMMARY, &dest_url)),
        _ => None,
    });
    let listed: BTreeSet<String> = links.collect();
    let mut missing = Vec::new();
    for (page, text) in pages.iter().filter(|(page, _)| page.starts_with(FOLDER) && *page != SUMMARY) {
        if !listed.contains(&format!("/{page}")) {
            missing.push(format!("{SUMMARY}: does not list {page}"));
        }
        if has_rust(text) && !tested.contains(page) {
            missing.push(format!("{page}: has Rust code, and no crate's documentation tests include it"));
        }
    }
    missing
}

fn has_rust(text: &str) -> bool {
    Parser::new(text).any(
        |event| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.starts_with("rust")),
    )
}

#[test]
fn a_page_that_no_summary_lists_and_code_that_nothing_compiles_are_told() {
    let page = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let pages = BTreeMap::from([
        page("README.md", "```rust\nrun();\n```"),
        page("docs/SUMMARY.md", "# Summary\n\n- [A](a.md)\n    - [C](c/README.md)\n"),
        page("docs/a.md", "```rust,no_run\nrun();\n```"),
        page("docs/b.md", "`rust`\n\n```sh\nrust\n```"),
        page("docs/c/README.md", "```rust\nrun();\n```"),
    ]);
    let source = "#[doc = include_str!(\"../../../docs/a.md\")]\n// include_str!(\"docs/b.md\")\n";
    let tested = included(source).into_iter().map(str::to_owned).collect();
    let found = missing(&pages, &tested);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("does not list docs/b.md") && found[1].starts_with("docs/c/README.md: "), "{found:?}");
}
