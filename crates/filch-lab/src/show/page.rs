//! Pages that need no other file: HTML, with its style and its pictures inside.

/// How the page looks: light or dark as the user's system says, from 420 pixels up. In the dark the picture is
/// inverted, and its hues are turned back.
const STYLE: &str = "\
:root { color-scheme: light dark; --back: #fff; --text: #1d1d1f; --soft: #62626a; --line: #d8d8de; --bar: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16171a; --text: #e8e8ea; --soft: #a0a0a8; --line: #3a3b40; --bar: #56b4e9; }
  svg { filter: invert(0.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0.5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 0.4rem; } a { color: var(--bar); } p > svg { max-width: 30rem; }
code { font: 0.9em ui-monospace, monospace; } p { margin: 0.4rem 0; } .soft { color: var(--soft); font-size: 0.9rem; }
.limit { border-left: 4px solid #d55e00; padding: 0.2rem 0.8rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0.5rem 1.2rem; margin: 1rem 0; }
dl div { border-top: 1px solid var(--line); padding-top: 0.3rem; }
dt { color: var(--soft); font-size: 0.85rem; } dd { margin: 0; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
dd small { display: block; color: var(--soft); font-size: 0.75rem; line-height: 1.3; }
svg { display: block; width: 100%; max-width: 38rem; height: auto; margin: 0.5rem 0; }
.wide, pre { overflow-x: auto; }
pre { font: 0.8rem/1.4 ui-monospace, monospace; margin: 0.6rem 0; overflow-wrap: normal; } pre code { font: inherit; }
pre .language-sh, pre:has(.language-sh) { white-space: pre-wrap; overflow-wrap: anywhere; color: var(--bar); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.25rem 0.5rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; }
th.name, td.name { text-align: left; white-space: normal; min-width: 12rem; }
td small { color: var(--soft); } td .bar { display: block; height: 3px; background: var(--bar); }
@media (min-width: 1100px) { p > svg { float: right; width: 25rem; margin-left: 1rem; } h2, h3 { clear: both; } }
@media (max-width: 600px) { body { padding: 0.7rem; } th, td { padding: 0.25rem 0.3rem; font-size: 0.8rem; } }
";

/// A page with this title, which is text, and this body, which is HTML.
pub fn of(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// Text without what means something in a page.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_parts_of_the_page() {
        assert_eq!(escaped("<Vec<u8> as \"X\">::f & g"), "&lt;Vec&lt;u8&gt; as &quot;X&quot;&gt;::f &amp; g");
    }
}
