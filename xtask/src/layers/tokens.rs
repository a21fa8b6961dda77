//! The words and signs of a Rust source, without comments, documentation, texts and test code.
//!
//! Not a parser: enough to find paths and braces. Test code is every item under `#[cfg(test)]`, `#[cfg(loom)]` (the
//! model checker's own code) or `#[test]`, and the whole file where `#![cfg(test)]` says so.

/// A word or a sign, and the line that it stands in. `::` is one sign; a text or a character is the sign `"`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

/// The tokens of a source, without those of test code.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    without_tests(&all(source))
}

fn all(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = measure(rest, first);
        let (text, after) = rest.split_at(length);
        if is_token {
            let is_literal = first == '"' || text.len() > 1 && text.ends_with(['"', '#', '\'']);
            tokens.push(Token { text: if is_literal { "\"" } else { text }, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    tokens
}

/// How long what begins here is, and whether it is a token rather than a blank or a comment.
fn measure(rest: &str, first: char) -> (usize, bool) {
    if first.is_whitespace() {
        return (first.len_utf8(), false);
    }
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (block_comment(rest), false);
    }
    if let Some(length) = raw_text(rest).or_else(|| text(rest)) {
        return (length, true);
    }
    if first == '\'' {
        return (character(rest), true);
    }
    if is_word(first) {
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        return (raw + rest[raw..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - raw), true);
    }
    (if rest.starts_with("::") { 2 } else { first.len_utf8() }, true)
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut place) = (0_usize, 0);
    while place < rest.len() {
        match &rest.as_bytes()[place..] {
            [b'/', b'*', ..] => (depth, place) = (depth + 1, place + 2),
            [b'*', b'/', ..] if depth == 1 => return place + 2,
            [b'*', b'/', ..] => (depth, place) = (depth - 1, place + 2),
            _ => place += 1,
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, and so on, also of bytes.
fn raw_text(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix("cr")).or_else(|| rest.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let body = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let begun = rest.len() - body.len();
    Some(body.find(&end).map_or(rest.len(), |place| begun + place + end.len()))
}

/// `"…"`, also of bytes.
fn text(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix(['b', 'c']).unwrap_or(rest).strip_prefix('"')?;
    let begun = rest.len() - body.len();
    let mut is_escaped = false;
    for (place, letter) in body.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(begun + place + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// A character in quotes, or a lifetime.
fn character(rest: &str) -> usize {
    let mut letters = rest.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        // Escaped: the quote behind the letter behind the backslash, at the earliest.
        (Some((_, '\\')), Some((place, letter))) => {
            let behind = place + letter.len_utf8();
            rest[behind..].find('\'').map_or(rest.len(), |quote| behind + quote + 1)
        }
        (Some(_), Some((place, '\''))) => place + 1,
        _ => 1 + rest[1..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - 1),
    }
}

/// Leaves out the items that only tests have.
fn without_tests<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let is_inner = is(tokens, place, "#") && is(tokens, place + 1, "!") && is(tokens, place + 2, "[");
        if is_inner || is(tokens, place, "#") && is(tokens, place + 1, "[") {
            let end = closing(tokens, place + if is_inner { 2 } else { 1 });
            let is_test = is_test(&tokens[place..end]);
            match (is_test, is_inner) {
                (true, true) => return Vec::new(),
                (true, false) => place = end_of_item(tokens, end),
                (false, _) => place = end,
            }
            continue;
        }
        kept.push(tokens[place].clone());
        place += 1;
    }
    kept
}

fn is(tokens: &[Token<'_>], place: usize, text: &str) -> bool {
    tokens.get(place).is_some_and(|token| token.text == text)
}

/// Whether what has this attribute is there for tests only.
fn is_test(attribute: &[Token<'_>]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.text == word);
    let asks = has("test") || has("loom") || has("doctest");
    let is_test = attribute.len() == 4 && has("test");
    is_test || has("cfg") && asks && !has("not") && (!has("any") || has("loom") && has("test"))
}

/// The place behind the bracket that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth <= 1 => return place + 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The place behind the item, field, variant, arm or statement that begins at `start`, perhaps with more attributes.
fn end_of_item(tokens: &[Token<'_>], start: usize) -> usize {
    let mut place = start;
    while is(tokens, place, "#") {
        place = closing(tokens, place + 1);
    }
    const ITEMS: [&str; 15] = [
        "pub",
        "fn",
        "struct",
        "enum",
        "impl",
        "mod",
        "use",
        "const",
        "static",
        "trait",
        "type",
        "unsafe",
        "extern",
        "macro_rules",
        "let",
    ];
    let first = place;
    let is_item = tokens.get(first).is_some_and(|token| ITEMS.contains(&token.text));
    let mut is_use = false;
    while let Some(token) = tokens.get(place) {
        match token.text {
            "use" => is_use = true,
            ";" => return place + 1,
            "," if !is_item => return place + 1,
            // The end of what it stands in.
            ")" | "]" | "}" => return place,
            "{" if !is_use => return closing(tokens, place),
            "(" | "[" | "{" => {
                place = closing(tokens, place);
                continue;
            }
            _ => {}
        }
        place += 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_texts_hold_no_words() {
        let source = "a // crate::x\n/* b /* c */ d */ \"crate::\\\"y\" r#\"z\"# b\"q\" e";
        assert_eq!(texts(source), ["a", "\"", "\"", "\"", "e"]);
    }

    #[test]
    fn a_lifetime_is_no_character() {
        assert_eq!(texts(r"&'static x 'y' '\'' '\u{7f}' z"), ["&", "'static", "x", "\"", "\"", "\"", "z"]);
    }

    #[test]
    fn lines_are_counted_through_texts() {
        let found = tokens("a\n\"b\n\"\n c::d");
        assert_eq!(
            found.iter().map(|token| (token.text, token.line)).collect::<Vec<_>>()[2..],
            [("c", 4), ("::", 4), ("d", 4)]
        );
    }

    #[test]
    fn test_code_is_left_out_and_nothing_else() {
        assert_eq!(texts("#[cfg(test)] mod tests { use a::{b}; } c"), ["c"]);
        assert_eq!(texts("#[cfg(test)] use a::{b, c}; d"), ["d"]);
        assert_eq!(texts("#[cfg(all(test, loom))] #[path = \"x\"] mod t; d"), ["d"]);
        assert_eq!(texts("#[cfg(loom)] fn f<A, B>(a: A) -> B { x } d"), ["d"]);
        assert_eq!(texts("s { #[cfg(test)] a: b, c }"), ["s", "{", "c", "}"]);
        assert_eq!(texts("#![cfg(test)] use a;"), [""; 0]);
        assert_eq!(texts("#[cfg(not(loom))] a; #[inline] b"), ["a", ";", "b"]);
        assert_eq!(texts("#[cfg(not(test))] a"), ["a"]);
    }
}
