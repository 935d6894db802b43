//! Which texts of pupils and teachers are taken: the same characters as `www/class/text.ts` takes.

/// The longest name, question and answer, in characters.
pub const MAX_NAME: usize = 24;
pub const MAX_QUESTION: usize = 140;
pub const MAX_ANSWER: usize = 280;

/// Whether a text may be shown as it is: not empty, at most so many characters, and none that cannot be seen
/// or turns around the text after it.
pub fn is_plain(text: &str, most: usize) -> bool {
    !text.trim().is_empty() && text.chars().count() <= most && !text.chars().any(is_hidden)
}

/// Controls, the formats of Unicode (category Cf, without the joiners U+200C and U+200D, which languages
/// need), separators of lines, and characters for private use.
fn is_hidden(c: char) -> bool {
    let format = matches!(
        c,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    );
    let private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
    c.is_control() || format || private
}

/// Whether a text consists of the visible characters of ASCII, as links and codes do.
pub fn is_link(text: &str, most: usize) -> bool {
    !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_can_be_shown_are_taken_and_others_refused() {
        let most = "x".repeat(MAX_NAME);
        for name in ["A", "Zoë", "李雷", "می\u{200c}خواهم", "🤖", &most] {
            assert!(is_plain(name, MAX_NAME), "{name}");
        }
        let long = "x".repeat(MAX_NAME + 1);
        for name in
            ["", " ", "a\nb", "a\0", "\u{202e}A", "a\u{2066}", "\u{200f}", "\u{feff}a", "\u{e000}", &long]
        {
            assert!(!is_plain(name, MAX_NAME), "{name:?}");
        }
        assert!(is_link("control?worlds=16&data=0:A-_", 100));
        assert!(!is_link("a b", 100) && !is_link("é", 100) && !is_link("", 100) && !is_link("abc", 2));
    }
}
