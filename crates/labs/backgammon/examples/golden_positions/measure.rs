//! The errors of networks on the golden positions, by plan.

use std::collections::BTreeMap;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, MAX_PLIES};
use learnery_worlds::backgammon::Board;
use rayon::prelude::*;

/// The numbers of plies at which values are measured: 0, 1 and 2.
const PLIES: usize = MAX_PLIES as usize + 1;

/// A golden position: what rollouts say of it, and GNU Backgammon at 0, 1 and 2 plies.
pub struct Position {
    pub board: Board,
    pub plan: String,
    /// The equities by rollouts of the shipped network and of GNU Backgammon, and their standard errors.
    pub rollouts: [f64; 2],
    pub errors: [f64; 2],
    pub gnubg: [f64; PLIES],
}

impl Position {
    /// Reads a line of the golden file.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, plan, numbers @ ..] = fields.as_slice() else { return Err(format!("too short: {line}")) };
        let numbers: Vec<f64> = numbers
            .iter()
            .map(|n| n.parse().map_err(|_| format!("no number: {line}")))
            .collect::<Result<_, _>>()?;
        let [ours, our_error, theirs, their_error, gnubg @ ..] = numbers.as_slice() else {
            return Err(format!("too short: {line}"));
        };
        Ok(Self {
            board: Board::from_position_id(id).map_err(|e| format!("{e}: {line}"))?,
            plan: (*plan).to_owned(),
            rollouts: [*ours, *theirs],
            errors: [*our_error, *their_error],
            gnubg: gnubg.try_into().map_err(|_| format!("not three plies: {line}"))?,
        })
    }

    /// The mean of both rollouts counts as the exact equity.
    fn truth(&self) -> f64 {
        (self.rollouts[0] + self.rollouts[1]) / 2.0
    }
}

/// The equities of a network at 0, 1 and 2 plies.
fn equities(network: &TrainedNetwork, positions: &[Position]) -> Vec<[f64; PLIES]> {
    let new_players = || {
        std::array::from_fn::<_, PLIES, _>(|plies| {
            LookaheadPlayer::new(network, Lookahead { plies: plies as u8 })
        })
    };
    let values = |players: &mut [LookaheadPlayer<_>; PLIES], position: &Position| {
        std::array::from_fn(|plies| f64::from(players[plies].value(network, &position.board).equity()))
    };
    positions.par_iter().map_init(new_players, values).collect()
}

/// Root mean square and mean of errors.
fn rms_and_bias(errors: &[f64]) -> [f64; 2] {
    let n = errors.len() as f64;
    [(errors.iter().map(|e| e * e).sum::<f64>() / n).sqrt(), errors.iter().sum::<f64>() / n]
}

/// The mean and its standard error.
fn mean_and_error(numbers: &[f64]) -> [f64; 2] {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    [mean, (variance / n).sqrt()]
}

/// The table of all networks and of GNU Backgammon.
pub fn table(positions: &[Position], networks: &[(String, TrainedNetwork)]) -> String {
    let mut columns: Vec<(String, Vec<[f64; PLIES]>)> =
        networks.iter().map(|(name, network)| (name.clone(), equities(network, positions))).collect();
    columns.push(("GNU Backgammon".into(), positions.iter().map(|position| position.gnubg).collect()));
    let mut plans: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, position) in positions.iter().enumerate() {
        plans.entry(&position.plan).or_default().push(i);
    }
    let all: Vec<usize> = (0..positions.len()).collect();
    // Positions are listed with one of each plan after the other, so both halves have all plans.
    let half = |odd: usize| all.iter().copied().filter(|i| (i / plans.len()) % 2 == odd).collect::<Vec<_>>();
    let mut rows: Vec<(&str, Vec<usize>)> =
        vec![("all", all.clone()), ("one half", half(0)), ("other half", half(1))];
    rows.extend(plans.iter().map(|(plan, list)| (*plan, list.clone())));
    let mut text = String::new();
    for (name, values) in &columns {
        text +=
            &format!("\n{name}\n\n| positions | number | 0 plies | bias | 1 ply | bias | 2 plies | bias |\n");
        text += "|---|---|---|---|---|---|---|---|\n";
        for (row, list) in &rows {
            let cells: Vec<String> = (0..PLIES)
                .map(|plies| {
                    let errors: Vec<f64> =
                        list.iter().map(|i| values[*i][plies] - positions[*i].truth()).collect();
                    let [rms, bias] = rms_and_bias(&errors);
                    format!("{rms:.4} | {bias:+.4}")
                })
                .collect();
            text += &format!("| {row} | {} | {} |\n", list.len(), cells.join(" | "));
        }
    }
    let differences: Vec<f64> = positions.iter().map(|p| p.rollouts[0] - p.rollouts[1]).collect();
    let [rms, bias] = rms_and_bias(&differences);
    let noise = |side: usize| rms_and_bias(&positions.iter().map(|p| p.errors[side]).collect::<Vec<_>>())[0];
    text += &format!(
        "\nThe two rollouts differ by {rms:.4} (root mean square), {bias:+.4} on average; their \
        standard errors are {:.4} (ours) and {:.4}.\n",
        noise(0),
        noise(1)
    );
    // The rows of the plans: those of all positions and of both halves come before.
    for (row, list) in rows.iter().skip(3) {
        let [rms, bias] = rms_and_bias(&list.iter().map(|i| differences[*i]).collect::<Vec<_>>());
        text += &format!("{row}: {rms:.4}, {bias:+.4}\n");
    }
    if let Some(((base, first), others)) = columns.split_first() {
        for (name, values) in others {
            let cells: Vec<String> = (0..PLIES)
                .map(|plies| {
                    let squares: Vec<f64> = positions
                        .iter()
                        .zip(values.iter().zip(first))
                        .map(|(position, (new, old))| {
                            let error = |values: &[f64; PLIES]| (values[plies] - position.truth()).powi(2);
                            1e4 * (error(new) - error(old))
                        })
                        .collect();
                    let [mean, error] = mean_and_error(&squares);
                    format!("{mean:+.2} ± {error:.2}")
                })
                .collect();
            text += &format!(
                "\n{name}, squared error minus that of {base}, in 1/10,000 (standard error): {}\n",
                cells.join(", ")
            );
        }
    }
    text
}
