//! `learnery backgammon`: lists plays, evaluates positions, chooses plays and decides about the doubling
//! cube. Each line of standard input is one request, answered by one line of standard output. The oracle is
//! the trained network that evaluates and chooses. `rates` and `table` measure and write what match play is
//! computed from.

use std::cell::RefCell;
use std::iter;

use anyhow::Result;
use learnery_backgammon_play::cube::{GAMMON_PRICES, MatchEquityTable, MeasuredRates, Rates, measure};
use learnery_backgammon_play::{Oracle, plays};
use learnery_labs::backgammon::networks::TrainedNetwork;
use serde_json::json;

use crate::args::{BackgammonArgs, BackgammonCommand, BackgammonCubeArgs, BackgammonRatesArgs, OracleArgs};
use crate::commands::backgammon_analyse::analyse;
use crate::commands::backgammon_rollout::rollout;
use crate::commands::backgammon_serve::serve;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{lines, numbers, stdout, table};
use crate::threads;

pub fn backgammon(args: &BackgammonArgs) -> Result<()> {
    match &args.command {
        BackgammonCommand::Plays { list } => lines::answer_text(|line| plays(line, *list)),
        BackgammonCommand::Eval(args) => {
            let mut oracle = open_oracle(args)?;
            lines::answer_text(|line| oracle.eval(line))
        }
        BackgammonCommand::Best { oracle: args, simulations, notation } => {
            let mut oracle = open_oracle(args)?;
            if let Some(simulations) = simulations {
                oracle.set_tree_search(*simulations).map_err(usage)?;
            }
            lines::answer_text(|line| {
                let best = oracle.best_play(line)?;
                let play = if *notation { format!(" {}", best.notation()) } else { String::new() };
                Ok(format!("{best}{play}"))
            })
        }
        BackgammonCommand::Cube(args) => cube(args),
        BackgammonCommand::Rollout(args) => rollout(args),
        BackgammonCommand::Serve(args) => serve(args),
        BackgammonCommand::Analyse(args) => analyse(args),
        BackgammonCommand::Rates(args) => rates(args),
        BackgammonCommand::Table { json } => {
            let table = MatchEquityTable::shared();
            if *json { stdout::write_json(&table.json()) } else { stdout::write(&table.text()) }
        }
    }
}

fn cube(args: &BackgammonCubeArgs) -> Result<()> {
    let mut oracle = open_oracle(&args.oracle)?;
    let Some(position) = &args.position else {
        // `answer_json` takes a function that changes nothing, but an oracle changes when it is asked.
        let oracle = RefCell::new(oracle);
        return lines::answer_json(|line| oracle.borrow_mut().cube(line).map(|analysis| analysis.json()));
    };
    let analysis = oracle.cube(position).map_err(usage)?;
    if args.json { stdout::write_json(&analysis.json()) } else { stdout::write(&analysis.text()) }
}

fn rates(args: &BackgammonRatesArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    let measured = measure(&network, args.seed, args.games);
    if args.json {
        let as_json = |rates: &Rates| json!([rates.win, rates.gammon, rates.backgammon]);
        return stdout::write_json(&json!({
            "games": args.games,
            "seed": args.seed,
            "money": as_json(&measured.money),
            "one_sided": measured.one_sided.iter().map(as_json).collect::<Vec<_>>(),
            "opening_swings": measured.opening_swings,
        }));
    }
    stdout::write(&rates_text(&measured, args.games))
}

/// The rates as two tables: how games end, and how far the first rolls move the chance to win.
fn rates_text(measured: &MeasuredRates, games: u64) -> String {
    let row = |name: String, rates: &Rates| {
        let percent = |rate: f64| format!("{:.2}", 100.0 * rate);
        vec![name, percent(rates.win), percent(rates.gammon), percent(rates.backgammon)]
    };
    let one_sided = measured.one_sided.iter().zip(GAMMON_PRICES);
    let one_sided =
        one_sided.map(|(rates, price)| row(format!("gammons for one side, at the price {price}"), rates));
    let rows: Vec<_> = iter::once(row("for money".into(), &measured.money)).chain(one_sided).collect();
    let width = table::width(&std::io::stdout());
    let headings = ["games", "won, %", "with a gammon, %", "with a backgammon, %"];
    let rates = table::render(&headings, &[LEFT, RIGHT, RIGHT, LEFT], &rows, width);
    let swings = measured.opening_swings.map(|swing| format!("{:+.2}", 100.0 * swing)).join("  ");
    let swings = table::wrap(&swings, width).join("\n");
    format!(
        "{} of each kind\n\n{rates}\nHow far the first rolls move the chance to win, in percentage points:\n{swings}\n",
        numbers::count_of(games, "game")
    )
}

/// Loads the network that answers the requests.
fn open_oracle(args: &OracleArgs) -> Result<Oracle<TrainedNetwork>> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    Oracle::new(network, args.plies).map_err(usage)
}
