//! How much room words take. A picture without fonts cannot know; these are the widths of common fonts, rather more
//! than less.

/// The width of a character as a share of the size, on average: 0.6 of the font's size, that of wide fonts such as
/// DejaVu Sans, where the size is 1.24 times the font's (`plotters-svg` 0.3.7, `draw_text`).
const CHARACTER: f64 = 0.6 / 1.24;

/// About how many pixels wide a line of text is.
pub(super) fn width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * CHARACTER * f64::from(size)).ceil() as i32
}

/// The text in lines of at most that width, unless a word is wider.
pub(super) fn wrapped(text: &str, room: i32, size: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + width(" ", size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_all_words_and_no_more_than_there_is_room_for() {
        let text = "one two three four five six seven";
        let lines = wrapped(text, 100, 13);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 13) <= 100), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrapped("unbreakable", 10, 13), ["unbreakable"]);
        assert!(wrapped("", 10, 13).is_empty());
    }
}
