//! What `filch report` writes, in a browser: `cargo xtask page FILE`.
//!
//! Chromium shows the page as wide as a telephone and as a window, light and dark. What can be measured is: nothing is
//! wider than the page, text in charts is not too small, and text stands out. What cannot is on the screenshots.

use crate::files::{found, write};
use crate::process::{command, output};
use std::path::Path;
use std::process::Command;

/// The widths, in pixels.
const WIDTHS: [u32; 2] = [420, 1200];

/// The colour schemes, and their numbers in Chromium.
const SCHEMES: [(&str, u32); 2] = [("light", 1), ("dark", 0)];

/// The least height of text, in pixels.
const LEAST_TEXT: f64 = 9.0;

/// The least contrast of text (WCAG 2.1, success criterion 1.4.3).
const LEAST_CONTRAST: f64 = 4.5;

/// Where the screenshots are.
const FOLDER: &str = "target/page";

/// A page of the given width within one that measures it. The scheme is that of the browser.
const FRAME: &str = r#"<!doctype html>
<body style="margin: 0">
<iframe src="PAGE" style="border: 0; width: WIDTHpx"></iframe>
<script>
const luminance = colour => {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map(part => part / 255);
    const [red, green, blue] = parts.map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const frame = document.querySelector("iframe");
frame.onload = () => {
    const page = frame.contentDocument, root = page.documentElement;
    frame.style.height = root.scrollHeight + "px";
    const style = frame.contentWindow.getComputedStyle(page.body);
    const grounds = [style, frame.contentWindow.getComputedStyle(root)].map(style => style.backgroundColor);
    const ground = luminance(grounds.find(colour => !colour.endsWith(", 0)")) ?? "rgb(255, 255, 255)");
    const texts = [...page.querySelectorAll("svg text")];
    const heights = texts.map(text => {
        const {a, b} = text.getScreenCTM();
        return parseFloat(frame.contentWindow.getComputedStyle(text).fontSize) * Math.hypot(a, b);
    });
    const colour = luminance(style.color);
    const contrast = (Math.max(ground, colour) + 0.05) / (Math.min(ground, colour) + 0.05);
    const words = [ground > 0.5 ? "light" : "dark", root.scrollWidth, root.scrollHeight, texts.length,
        Math.min(...heights), contrast];
    document.title = "measured " + words.join(" ");
};
</script>
"#;

/// Checks a page, and leaves screenshots of it.
pub(crate) fn main(page: &str) -> Result<(), String> {
    let page = Path::new(page).canonicalize().map_err(|error| format!("{page}: {error}"))?;
    let root = std::env::current_dir().map_err(|error| error.to_string())?;
    for width in WIDTHS {
        let path = root.join(format!("{FOLDER}/{width}.html"));
        let frame = FRAME.replace("WIDTH", &width.to_string()).replace("PAGE", &format!("file://{}", page.display()));
        write(&path, &frame)?;
        let address = format!("file://{}", path.display());
        for (scheme, number) in SCHEMES {
            let what = format!("{width} pixels, {scheme}");
            let shown = output(browser(number).args(["--dump-dom", &address]))?;
            let height = check(&shown, width, scheme).map_err(|fault| format!("{what}: {fault}"))?;
            let picture = format!("{FOLDER}/{width}-{scheme}.png");
            let size = format!("--window-size={width},{height}");
            output(browser(number).args([&size, &format!("--screenshot={picture}"), &address]))?;
            println!("{what}: {picture}");
        }
    }
    Ok(())
}

/// Chromium with a colour scheme. As root, it needs to run without its sandbox.
fn browser(scheme: u32) -> Command {
    let mut chromium = command("chromium");
    chromium.args(["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]);
    chromium.args(["--allow-file-access-from-files", "--virtual-time-budget=3000"]);
    chromium.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    chromium
}

/// Whether what was measured is good. The height of the page.
fn check(shown: &str, width: u32, scheme: &str) -> Result<u32, String> {
    let measured = found("<title>measured ([^<]*)</title>", shown);
    let words: Vec<&str> = measured.first().ok_or("nothing was measured")?.split(' ').collect();
    let [found_scheme, wide, height, texts, least_text, contrast] = words[..] else {
        return Err(format!("measured {words:?}"));
    };
    let number = |word: &str| word.parse::<f64>().map_err(|_| format!("measured {words:?}"));
    if found_scheme != scheme {
        return Err(format!("the page is {found_scheme}"));
    }
    if number(wide)? > f64::from(width) {
        return Err(format!("something is {wide} pixels wide"));
    }
    if number(texts)? == 0.0 {
        return Err("no chart has text".to_owned());
    }
    if number(least_text)? < LEAST_TEXT {
        return Err(format!("text in a chart is {least_text} pixels high, expected at least {LEAST_TEXT}"));
    }
    if number(contrast)? < LEAST_CONTRAST {
        return Err(format!("text has a contrast of {contrast}, expected at least {LEAST_CONTRAST}"));
    }
    Ok(number(height)? as u32)
}
