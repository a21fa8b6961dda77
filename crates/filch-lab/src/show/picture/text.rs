//! The width of text, estimated: the picture is drawn without access to fonts. The estimate suits common fonts and errs
//! on the wide side.

/// The average width of a character relative to the size of the text. It is 0.6 of the font size in wide fonts such as
/// DejaVu Sans, and the size is 1.24 times the font size (`plotters-svg` 0.3.7, `draw_text`).
const CHARACTER: f64 = 0.6 / 1.24;

/// The estimated width of a line of text in pixels.
pub fn width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * CHARACTER * f64::from(size)).ceil() as i32
}

/// Breaks text into lines that are at most `room` wide, except for a single word that is wider.
pub fn wrapped(text: &str, room: i32, size: i32) -> Vec<String> {
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
