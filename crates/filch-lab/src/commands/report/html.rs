//! The page as HTML, from that in Markdown, with its pictures inside.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::contents::Section;
use super::made::Made;
use super::markdown::{PICTURES, place};
use crate::show::page::{self, escaped};

/// The whole page.
pub(super) fn page(text: &str, made: &[(&Section, Vec<Made>)]) -> String {
    let picture = |link: &str| {
        let name = link.strip_prefix(PICTURES)?.strip_prefix('/')?;
        let made = made.iter().flat_map(|(_, figures)| figures).find(|made| made.figure.picture == Some(name))?;
        let (title, (_, svg)) = (escaped(made.figure.title), made.picture()?);
        Some(svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{title}\" "), 1))
    };
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut shown = Vec::new();
    let mut is_in_picture = false;
    for (number, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                is_in_picture = true;
                shown.extend(picture(dest_url).map(|svg| Event::InlineHtml(svg.into())));
            }
            Event::End(TagEnd::Image) => is_in_picture = false,
            _ if is_in_picture => {}
            // A link to a section needs its place.
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                let title = match events.get(number + 1) {
                    Some(Event::Text(title)) => place(title),
                    _ => String::new(),
                };
                shown.push(Event::Html(CowStr::from(format!("<h2 id=\"{title}\">"))));
            }
            // A table may be wider than the page.
            Event::Start(Tag::Table(_)) => shown.extend([Event::Html("<div class=\"wide\">".into()), event.clone()]),
            Event::End(TagEnd::Table) => shown.extend([event.clone(), Event::Html("</div>\n".into())]),
            _ => shown.push(event.clone()),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, shown.into_iter());
    page::of("Filch: benchmarks", &body)
}
