//! The lines of the text format besides rows: tags, the length of the match, the score.

use learnery_worlds::backgammon::matches::LONGEST_MATCH;

/// Reads `; [EventDate "2026.11.22"]`: the name and the value of a tag.
pub(super) fn read_tag(comment: &str) -> Option<(&str, &str)> {
    let inner = comment.trim_start_matches([';', '#']).trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once('"')?;
    Some((name.trim(), value.strip_suffix('"')?))
}

/// Reads `7 point match`: its length, 0 for a money session. `None` if the line says something else, an error
/// if the match is too long.
pub(super) fn read_match_length(line: &str) -> Option<Result<u8, String>> {
    let lower = line.trim().to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || c == '-').filter(|w| !w.is_empty()).take(4).collect();
    match words.as_slice() {
        ["unlimited" | "money", "game" | "match" | "session" | "play", ..] => Some(Ok(0)),
        [number, "point" | "points" | "pt", "match", ..] if number.bytes().all(|c| c.is_ascii_digit()) => {
            let refuse = || format!("a match has at most {LONGEST_MATCH} points");
            let length = number.parse().ok().filter(|n| *n <= LONGEST_MATCH);
            Some(length.ok_or_else(refuse))
        }
        _ => None,
    }
}

/// Whether a line is `Game 3`.
pub(super) fn is_game(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_number = |word: &str| {
        !word.is_empty() && word.trim_end_matches([':', '.']).bytes().all(|c| c.is_ascii_digit())
    };
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("game")) && words.next().is_some_and(is_number)
}

/// Reads the line under `Game 3`: both names and both scores.
pub(super) fn read_scores(line: &str) -> Option<([&str; 2], [u32; 2])> {
    let (left, second_score) = score_at_end(line)?;
    // Every colon with a number behind it: the text before it, the number, the text behind the number.
    let candidates = || {
        left.match_indices(':').filter_map(|(colon, _)| {
            let rest = left[colon + 1..].trim_start_matches([' ', '\t']);
            let (number, after) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
            (!number.is_empty() && !after.trim_start().is_empty()).then_some((&left[..colon], number, after))
        })
    };
    // A name may contain a colon and a number, but the second name begins after a wide gap, so that is looked
    // for first. Behind a long name, GNU Backgammon leaves one space or none.
    let with_gap = |min_gap: &usize| candidates().find(|(.., after)| gap(after) >= *min_gap);
    let (first, first_score, second) = [2, 1, 0].iter().find_map(with_gap)?;
    Some(([first.trim(), second.trim()], [first_score.parse().ok()?, second_score]))
}

/// The width of the gap at the start of a text; a tab counts as two spaces.
fn gap(text: &str) -> usize {
    let width = |c| match c {
        ' ' => Some(1),
        '\t' => Some(2),
        _ => None,
    };
    text.chars().map_while(width).sum()
}

/// Splits `name : 3` into the name and the score.
fn score_at_end(line: &str) -> Option<(&str, u32)> {
    let (name, score) = line.rsplit_once(':')?;
    let score = score.trim();
    // Nine digits always fit into 32 bits.
    let is_number = (1..=9).contains(&score.len()) && score.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| score.parse().ok())?.map(|score| (name, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_read_in_their_variants() {
        assert_eq!(read_tag("; [EventDate \"2026.11.22\"]"), Some(("EventDate", "2026.11.22")));
        assert_eq!(read_tag(";[Site \"\"]"), Some(("Site", "")));
        assert_eq!(read_tag("; a remark"), None);
        assert_eq!(read_match_length(" 7 point match"), Some(Ok(7)));
        assert_eq!(read_match_length("11-point Match"), Some(Ok(11)));
        assert_eq!(read_match_length("Unlimited game"), Some(Ok(0)));
        assert_eq!(read_match_length("0 point match"), Some(Ok(0)));
        assert!(read_match_length("64 point match").is_some_and(|length| length.is_err()));
        assert!(read_match_length("99999999999999999999 point match").is_some_and(|length| length.is_err()));
        assert_eq!(read_match_length("a good match"), None);
        assert!(is_game(" Game 12") && is_game("GAME 1:") && !is_game("Game") && !is_game("Games 3"));
    }

    #[test]
    fn names_may_contain_what_separates_them() {
        assert_eq!(read_scores(" Anna : 0        Ben : 3"), Some((["Anna", "Ben"], [0, 3])));
        assert_eq!(read_scores("Anna:0\tBen:3"), Some((["Anna", "Ben"], [0, 3])));
        assert_eq!(read_scores("A : B : 2   C 3 : D : 4 "), Some((["A : B", "C 3 : D"], [2, 4])));
        assert_eq!(read_scores(" Zoë,1666 : 0 李 : 1"), Some((["Zoë,1666", "李"], [0, 1])));
        assert_eq!(read_scores("Team:2 Anna : 0        Ben : 3"), Some((["Team:2 Anna", "Ben"], [0, 3])));
        assert_eq!(read_scores("Team:2 Anna : 0\tBen : 3"), Some((["Team:2 Anna", "Ben"], [0, 3])));
        assert_eq!(read_scores("Anna : 0 Ben : 3"), Some((["Anna", "Ben"], [0, 3])));
        for line in ["", "Anna : 0", "Anna : x  Ben : 3", ": : :", "Anna : 0   Ben : 9999999999"] {
            assert_eq!(read_scores(line), None, "{line}");
        }
    }

    #[test]
    fn long_names_may_leave_no_gap() {
        // GNU Backgammon pads the first name and its score to 31 bytes.
        assert_eq!(read_scores(" Александр Иванов : 0Ben : 0"), Some((["Александр Иванов", "Ben"], [0, 0])));
        assert_eq!(
            read_scores(" Александр Иванов : 10Ben : 2"),
            Some((["Александр Иванов", "Ben"], [10, 2]))
        );
        assert_eq!(read_scores(" Александр Ивано : 0 Ben : 0"), Some((["Александр Ивано", "Ben"], [0, 0])));
    }
}
