//! A match that is written is read back as it was.

use super::generated::random_match;
use super::sgf_files::write_sgf;
use crate::*;

/// The entries of a game, its winner and the points.
type ComparableGame = (Vec<Entry>, Option<(usize, u32)>);

/// What stays the same when a match is written and read.
#[derive(Debug, PartialEq)]
struct Comparable {
    tags: Vec<(String, String)>,
    games: Vec<ComparableGame>,
}

/// A resignation of a gammon before the cube is turned is written as a single game under the Jacoby rule, and
/// points beyond those needed tell a gammon from a backgammon no more. So resignations are compared by their
/// points.
fn comparable(record: &MatchRecord) -> Comparable {
    let game = |game: &GameRecord| (game.entries().to_vec(), game.end().map(|end| (end.winner, end.points)));
    Comparable { tags: record.tags().to_vec(), games: record.games().iter().map(game).collect() }
}

#[test]
fn text_files_survive_a_round_trip() {
    let mut endings = [0; 4];
    for number in 0..60 {
        let record = random_match(1, number, 12);
        let text = write_mat(&record, None);
        let read =
            read(text.as_bytes()).unwrap_or_else(|error| panic!("match {number}: {error}\n{text}")).record;
        let without_rules = |record: &MatchRecord| {
            let mut comparable = comparable(record);
            comparable.tags.retain(|(name, _)| name != "Jacoby" && name != "Beaver");
            comparable
        };
        assert_eq!(without_rules(&read), without_rules(&record), "match {number}\n{text}");
        assert_eq!((read.score(), read.rules()), (record.score(), record.rules()), "match {number}");
        assert_eq!(write_mat(&read, None), text, "match {number}");
        for game in record.games() {
            endings[match game.end().map(|end| end.ending) {
                None => 0,
                Some(Ending::Won(_)) => 1,
                Some(Ending::Passed) => 2,
                Some(Ending::Resigned(_)) => 3,
            }] += 1;
        }
    }
    assert!(endings.iter().all(|count| *count > 3), "every ending was tried: {endings:?}");
}

#[test]
fn tags_of_rules_are_written_once() {
    let rows = "  1) 61: 13/7 8/7      52: 24/22 13/8\n  2)  Doubles => 2     Doubles => 4\n";
    // Two doubles show a beaver, whatever the tag says.
    let text =
        format!("; [Beavers \"Off\"]\n; [jacoby \"On\"]\n0 point match\nGame 1\nA : 0    B : 0\n{rows}");
    let record = read(text.as_bytes()).expect("a good file").record;
    let written = write_mat(&record, None);
    assert_eq!(
        (written.matches("eaver \"").count(), written.matches("acoby \"").count()),
        (1, 1),
        "{written}"
    );
    assert_eq!(read(written.as_bytes()).expect("a good file").record.rules(), record.rules());
}

#[test]
fn game_format_is_read_as_it_is_written() {
    for number in 0..60 {
        let record = random_match(2, number, 12);
        let text = write_sgf(&record);
        let read =
            read(text.as_bytes()).unwrap_or_else(|error| panic!("match {number}: {error}\n{text}")).record;
        assert_eq!(comparable(&read).games, comparable(&record).games, "match {number}\n{text}");
        assert_eq!((read.score(), read.players()), (record.score(), record.players()), "match {number}");
    }
}

#[test]
fn annotations_are_comments_that_change_nothing() {
    let record = random_match(1, 3, 3);
    let annotate = |decision: &Decision<'_>| match decision.choice {
        Choice::Play { dice, .. } if !dice.is_double() => Some("error 0.120\nbest 13/7".to_owned()),
        Choice::Cube { doubled: true } => Some("a double: correct".to_owned()),
        _ => None,
    };
    let text = write_mat(&record, Some(&annotate));
    assert!(text.contains("\n; 1.1 "), "{text}");
    let comments =
        text.lines().filter(|line| line.starts_with("; ") && line.ends_with("error 0.120'best 13/7")).count();
    assert_eq!(
        comments,
        record.decisions().iter().filter_map(annotate).filter(|note| note.contains("error")).count()
    );
    let plain = write_mat(&record, None);
    assert_eq!(write_mat(&read(text.as_bytes()).expect("a good file").record, None), plain);
}

#[test]
fn decisions_agree_with_the_record() {
    let mut cube_decisions = 0;
    for number in 0..30 {
        let record = random_match(3, number, 8);
        let decisions = record.decisions();
        for decision in &decisions {
            let game = &record.games()[decision.game];
            assert_eq!(decision.score, game.start().score());
            match (decision.choice, &game.entries()[decision.entry].action) {
                (Choice::Play { dice, after, moves }, Action::Play { dice: d, after: a, moves: m }) => {
                    assert_eq!((dice, after, moves), (*d, *a, m.as_slice()));
                    assert_eq!(
                        learnery_worlds::backgammon::moves(&decision.board, dice, &after).as_deref(),
                        Some(moves)
                    );
                    assert_eq!(decision.player, decision.on_roll);
                }
                (Choice::Cube { doubled: false }, Action::Play { .. } | Action::Roll { .. }) => {
                    assert_eq!(decision.stakes.no_double(), None);
                    cube_decisions += 1;
                }
                (Choice::Cube { doubled: true }, Action::Double) => {}
                (Choice::Answer(answer), Action::Answer(a)) => {
                    assert_eq!((answer, decision.player), (*a, 1 - decision.on_roll));
                }
                (Choice::Roll { dice }, Action::Roll { dice: d }) => assert_eq!(dice, *d),
                other => panic!("{other:?}"),
            }
        }
        let plays = record.games().iter().flat_map(GameRecord::entries);
        let plays = plays.filter(|entry| matches!(entry.action, Action::Play { .. })).count();
        assert_eq!(decisions.iter().filter(|d| matches!(d.choice, Choice::Play { .. })).count(), plays);
    }
    assert!(cube_decisions > 100, "{cube_decisions}");
}
