//! Whether the pages of `docs` are one book: its summary lists each of them, none links to what is not in it, and Rust
//! code on them is compiled.

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
    let listed: BTreeSet<String> = links(SUMMARY, pages.get(SUMMARY).map_or("", String::as_str)).collect();
    let mut missing = Vec::new();
    for (page, text) in pages.iter().filter(|(page, _)| page.starts_with(FOLDER) && *page != SUMMARY) {
        if !listed.contains(&format!("/{page}")) {
            missing.push(format!("{SUMMARY}: does not list {page}"));
        }
        for link in links(page, text).filter(|link| !link.starts_with(&format!("/{FOLDER}"))) {
            missing.push(format!("{page}: links to {}, which is not in the book: name it instead", &link[1..]));
        }
        if has_rust(text) && !tested.contains(page) {
            missing.push(format!("{page}: has Rust code, and no crate's documentation tests include it"));
        }
    }
    missing
}

/// Where the links of a page lead within the repository, as paths.
fn links(page: &str, text: &str) -> impl Iterator<Item = String> {
    Parser::new(text).filter_map(move |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) if !dest_url.contains("://") => Some(target(page, &dest_url)),
        _ => None,
    })
}

fn has_rust(text: &str) -> bool {
    Parser::new(text).any(
        |event| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) if kind.starts_with("rust")),
    )
}

#[test]
fn pages_outside_of_the_book_and_code_that_nothing_compiles_are_told() {
    let page = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let pages = BTreeMap::from([
        page("README.md", "```rust\nrun();\n```"),
        page("docs/SUMMARY.md", "# Summary\n\n- [A](a.md)\n    - [C](c/README.md)\n"),
        page("docs/a.md", "```rust,no_run\nrun();\n```"),
        page("docs/b.md", "`rust`, [a](a.md#place), [web](https://a.b/c)\n\n```sh\nrust\n```"),
        page("docs/c/README.md", "[b](../b.md), [d](../../d.md)\n\n```rust\nrun();\n```"),
    ]);
    let source = "#[doc = include_str!(\"../../../docs/a.md\")]\n// include_str!(\"docs/b.md\")\n";
    let tested = included(source).into_iter().map(str::to_owned).collect();
    let found = missing(&pages, &tested);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].ends_with("does not list docs/b.md"), "{found:?}");
    assert!(found[1].starts_with("docs/c/README.md: links to d.md,"), "{found:?}");
    assert!(found[2].starts_with("docs/c/README.md: has Rust code"), "{found:?}");
}
