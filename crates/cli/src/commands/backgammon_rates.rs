//! `learnery backgammon rates` plays games without the cube and prints how they end: how often a side wins,
//! by a gammon and by a backgammon. `table` prints the match equity table that is computed from such rates.
//!
//! The games are of four kinds, because what a gammon is worth changes how a side plays: for money, where
//! both sides gain by gammons, and, as in a match whose other side needs one point, games in which only one
//! side gains by them, at three prices of a gammon. `learnery_backgammon_play::cube::MeasuredRates` says
//! more.

use std::iter;

use anyhow::Result;
use learnery_backgammon_play::cube::GAMMON_PRICES;
use learnery_labs::backgammon::{MeasureRates, RatesOutput, TableOutput};

use super::ask::{self, Source, refused};
use crate::args::BackgammonRatesArgs;
use crate::run::stop::StopSignal;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{numbers, stderr, stdout, table};
use crate::threads;

pub fn rates(args: &BackgammonRatesArgs) -> Result<()> {
    let input = args.inputs.input()?;
    threads::start_pool(args.threads)?;
    let source = Source::read(&args.network.checkpoint)?;
    let games = numbers::count_of(input.games.into(), "game");
    let mut job = source.begin::<MeasureRates>(input)?;
    let stop = StopSignal::listen()?;
    stderr::write(&format!(
        "Plays {games} of each kind. Ctrl-C ends the measurement; games that are complete count.\n"
    ));
    // Without a limit of time, and without a note behind the progress bar.
    let outcome = ask::finish(&mut job, &stop, None, &mut |(), _| None);
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
    let Some(measured) = outcome.output() else {
        return Err(stop.interrupted("it was interrupted before the first games were played").into());
    };
    if args.json {
        return stdout::write_json(measured);
    }
    stdout::write(&rates_text(measured, table::width(&std::io::stdout())))
}

/// The rates as text: a table of how games of each kind end, and a list of how far the first rolls (those
/// until a side may double for the first time) move its chance to win. The list is sorted; each number is the
/// mean of a sixteenth of the cases.
fn rates_text(measured: &RatesOutput, width: usize) -> String {
    let row = |name: &str, rates: &[f64; 3]| {
        iter::once(name.to_owned()).chain(rates.map(|rate| format!("{:.2}", 100.0 * rate))).collect()
    };
    let one_sided = GAMMON_PRICES.iter().zip(&measured.one_sided);
    let one_sided =
        one_sided.map(|(price, rates)| row(&format!("gammons for one side, at the price {price}"), rates));
    let rows: Vec<Vec<String>> = iter::once(row("for money", &measured.money)).chain(one_sided).collect();
    let headings = ["games", "won, %", "gammons, %", "backgammons, %"];
    let rates = table::render(&headings, &[LEFT, RIGHT, RIGHT, RIGHT], &rows, width);
    let swings: Vec<String> =
        measured.opening_swings.iter().map(|swing| format!("{:+.2}", 100.0 * swing)).collect();
    let swings = table::wrap(&swings.join("  "), width).join("\n");
    let asked = numbers::count_of(measured.games.into(), "game");
    let games = match measured.played {
        played if played < measured.games => {
            format!("stopped after {} of {asked}", numbers::count(played.into()))
        }
        _ => asked,
    };
    format!(
        "{games} of each kind\n\n{rates}\nHow far the first rolls move the chance to win, in percentage points:\n{swings}\n"
    )
}

/// The match equity table in percent, a row for each score. On a narrow terminal it is divided into blocks of
/// columns, each of one column at least.
pub fn match_table_text(chances: &TableOutput, width: Option<usize>) -> String {
    // Widths in characters: the points that a side needs, and a chance.
    const ROW_NAME: usize = 4;
    const CELL: usize = 6;
    /// The heading of the last column: the chances after the Crawford game.
    const LAST: &str = "  after Crawford";
    let columns = chances.after.len();
    let per_block =
        width.map_or(columns, |width| (width.saturating_sub(ROW_NAME + LAST.len()) / CELL).max(1));
    let mut text = String::new();
    for first in (0..columns).step_by(per_block) {
        let block = first..columns.min(first + per_block);
        let is_last = block.end == columns;
        if first > 0 {
            text.push('\n');
        }
        text.push_str("away");
        block.clone().for_each(|other| text.push_str(&format!("{:>CELL$}", other + 1)));
        text.push_str(if is_last { LAST } else { "" });
        text.push('\n');
        for (own, row) in chances.before.iter().enumerate() {
            text.push_str(&format!("{:>ROW_NAME$}", own + 1));
            row[block.clone()]
                .iter()
                .for_each(|chance| text.push_str(&format!("{:>CELL$.2}", 100.0 * chance)));
            if is_last {
                text.push_str(&format!("{:>1$.2}", 100.0 * chances.after[own], LAST.len()));
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty columns, the narrowest terminal.
    #[test]
    fn table_is_divided_for_a_narrow_terminal() {
        let chances = TableOutput { after: vec![0.5; 9], before: vec![vec![0.25; 9]; 9] };
        let wide = match_table_text(&chances, None);
        assert_eq!(wide.lines().count(), 10);
        assert_eq!(wide.lines().nth(1).map(str::len), Some(4 + 9 * 6 + 16));
        let narrow = match_table_text(&chances, Some(40));
        assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
        assert_eq!(narrow.matches("25.00").count(), 81);
        assert_eq!(narrow.matches("50.00").count(), 9);
        let narrowest = match_table_text(&chances, Some(1));
        assert_eq!(narrowest.matches("25.00").count(), 81, "{narrowest}");
    }

    #[test]
    fn rates_fit_into_eighty_columns() {
        let rates = RatesOutput {
            games: 100_000,
            money: [0.5, 0.25, 0.01],
            one_sided: [[0.49999, 0.12345, 0.00456]; 3],
            opening_swings: vec![-0.0123; 16],
            seed: 1,
            played: 512,
        };
        let text = rates_text(&rates, 80);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        assert!(text.starts_with("stopped after 512 of 100,000 games of each kind\n"), "{text}");
    }
}
