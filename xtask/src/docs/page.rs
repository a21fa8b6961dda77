//! What a page names.

/// Something that a page names.
#[derive(Debug, PartialEq)]
pub(super) enum Named {
    /// A file or folder, perhaps with `{a,b}` and `*`.
    Path(String),
    /// A name of the sources: a test, a function, a field.
    Word(String),
    /// The words behind `filch`.
    Command(Vec<String>),
    /// The word behind `cargo xtask`.
    Task(String),
    /// The target of a link.
    Link(String),
}

/// What a page names, each with its line.
pub(super) fn named(text: &str) -> Vec<(usize, Named)> {
    let mut all = Vec::new();
    let mut is_fenced = false;
    // What stands in backticks that the line before has opened and not closed.
    let mut begun = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced || line.starts_with("    ") {
            // A block of code: the commands in it.
            all.extend(
                line.split(['|', ';']).flat_map(|part| part.split("&&")).filter_map(command).map(|it| (number, it)),
            );
        } else {
            let whole = if begun.is_empty() { line.to_owned() } else { format!("{begun} {}", line.trim_start()) };
            let parts: Vec<&str> = whole.split('`').collect();
            let closed = parts.len() - 1 - (parts.len() + 1) % 2;
            all.extend(
                parts[..=closed].iter().skip(1).step_by(2).filter_map(|span| of_span(span)).map(|it| (number, it)),
            );
            all.extend(links(line).map(|it| (number, it)));
            let is_open = parts.len().is_multiple_of(2) && !line.trim().is_empty();
            begun = if is_open { format!("`{}", parts[parts.len() - 1]) } else { String::new() };
        }
    }
    all
}

/// What stands in backticks, if it looks like a name.
fn of_span(span: &str) -> Option<Named> {
    if let Some(command) = command(span) {
        return Some(command);
    }
    let is_plain = |also: &str| span.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || also.contains(c));
    let is_file = [".rs", ".pml", ".md"].iter().any(|ending| span.ends_with(ending))
        || span.contains('/') && [".toml", ".txt", ".sh", ".yml"].iter().any(|ending| span.ends_with(ending));
    let is_folder = span.len() > 1 && span.ends_with('/');
    if (is_file || is_folder) && is_plain("-./{},*") && !span.starts_with(['.', '/']) {
        return Some(Named::Path(span.to_owned()));
    }
    // Words of other languages and programs are seldom as long as names of tests.
    let parts = span.trim_end_matches('…').split('_').filter(|part| !part.is_empty()).count();
    let is_word = parts > 2 && is_plain("…") && !span.contains(|c: char| c.is_ascii_uppercase());
    is_word.then(|| Named::Word(span.to_owned()))
}

/// A command line of this repository.
fn command(text: &str) -> Option<Named> {
    let text = text.split(" # ").next().unwrap_or(text);
    // Variables may be set in front of it.
    let mut words = text
        .split_whitespace()
        .skip_while(|word| word.contains('=') && word.starts_with(|c: char| c.is_ascii_uppercase()));
    match words.next()? {
        "filch" => Some(Named::Command(options(words))),
        "cargo" => match words.next()? {
            "xtask" => words.next().map(|task| Named::Task(task.to_owned())),
            "run" => {
                let rest: Vec<&str> = words.collect();
                // That of another package is none of `filch`.
                let end = rest.iter().position(|word| *word == "--")?;
                let is_other = rest[..end].iter().any(|word| ["-p", "--example", "--manifest-path"].contains(word));
                (!is_other).then(|| Named::Command(options(rest[end + 1..].iter().copied())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Words without values that are glued to them, and without the signs of a page.
fn options<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let bare =
        |word: &str| word.trim_matches(['[', ']', '…', ',', '\'', '"']).split('=').next().unwrap_or("").to_owned();
    words.take_while(|word| !word.starts_with('>')).map(bare).collect()
}

/// The targets of links, but those on the web.
fn links(line: &str) -> impl Iterator<Item = Named> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://")).map(|target| Named::Link(target.to_owned()))
}

/// The paths that `a/{b,c}.rs` stands for.
pub(super) fn alternatives(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((within, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    within.split(',').flat_map(|one| alternatives(&format!("{before}{one}{after}"))).collect()
}
