//! What the compiler says of mistakes that newcomers make, word for word: each text must name the cure.
//!
//! `TRYBUILD=overwrite cargo test -p filch-rayon --test messages -- --ignored` writes the texts of today.

#[test]
#[ignore = "the texts are those of one version of Rust, with which CI compares them"]
fn each_message_is_as_it_was_and_names_the_cure() {
    trybuild::TestCases::new().compile_fail("tests/messages/*.rs");
}

#[test]
fn each_text_has_the_words_that_name_the_cure() {
    let cures = [
        ("iterator", "use `filch::for_each_item`"),
        ("no_indices", "filch_bridge()"),
        ("no_strand", "expected closure that takes 2 arguments"),
        ("sum", "cannot assign to `sum`"),
    ];
    for (name, cure) in cures {
        let path = format!("{}/tests/messages/{name}.stderr", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(cure), "{path}: {cure}");
    }
}
