//! Decides which texts of pupils and teachers the server takes. The rules are those of `www/class/text.ts`.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The longest name, question and answer, in characters (Unicode code points).
pub const MAX_NAME: usize = 24;
pub const MAX_QUESTION: usize = 140;
pub const MAX_ANSWER: usize = 280;

/// A letter may have fewer combining marks (such as accents) than this. No language needs so many, and they
/// would be drawn over the lines above and below.
const PILE_OF_MARKS: usize = 5;

/// Whether a text may be shown as it is: at least one of its characters is visible, it has at most `most`
/// characters, and none of them is hidden or changes the direction of the text after it.
pub fn is_plain(text: &str, most: usize) -> bool {
    let mut marks = 0;
    let has_pile = text.chars().any(|c| {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        marks >= PILE_OF_MARKS
    });
    text.chars().any(is_seen) && text.chars().count() <= most && !text.chars().any(is_hidden) && !has_pile
}

fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Whether a character draws something by itself: it is no space, no mark, no joiner, and no letter that is
/// blank (the fillers of Hangul, the empty pattern of Braille).
fn is_seen(c: char) -> bool {
    let is_blank =
        matches!(c, '\u{200c}' | '\u{200d}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}');
    !c.is_whitespace() && !is_blank && !is_mark(c)
}

/// Whether a character is a control, a format character (except the joiners U+200C and U+200D, which some
/// languages need), private, unassigned, or a separator of lines.
fn is_hidden(c: char) -> bool {
    let is_joiner = matches!(c, '\u{200c}' | '\u{200d}');
    let is_separator =
        matches!(c.general_category(), GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator);
    is_separator || (!is_joiner && c.general_category_group() == GeneralCategoryGroup::Other)
}

/// Whether a text consists of 1 to `most` visible ASCII characters, as links and codes do.
pub fn is_link(text: &str, most: usize) -> bool {
    !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's tests read the same file.
    const NAMES: &str = include_str!("../tests/names.json");

    #[derive(serde::Deserialize)]
    struct Names {
        taken: Vec<String>,
        refused: Vec<String>,
    }

    #[test]
    fn names_that_can_be_shown_are_taken_and_others_refused() {
        let names: Names = serde_json::from_str(NAMES).unwrap();
        for name in names.taken {
            assert!(is_plain(&name, MAX_NAME), "{name}");
        }
        for name in names.refused {
            assert!(!is_plain(&name, MAX_NAME), "{name:?}");
        }
        assert!(is_link("control?worlds=16&data=0:A-_", 100));
        assert!(!is_link("a b", 100) && !is_link("é", 100) && !is_link("", 100) && !is_link("abc", 2));
    }
}
