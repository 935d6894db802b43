//! Learnery on the command line: train, eval, bench, labs, info, export, and what single labs can be asked.
//!
//! Standard output carries results, standard error everything said to people. Exit codes: 0 fine (also
//! for a run that was asked to stop), 1 failed, 2 a mistake in the command.

mod args;
mod backgammon;
mod bench;
mod control;
mod cube;
mod display;
mod eval;
mod eval_options;
mod failure;
mod files;
mod gnubg;
mod info;
mod labs;
mod language;
mod limits;
mod lines;
mod logic;
mod metrics_file;
mod opening;
mod out;
mod run_dir;
mod settings;
mod signals;
mod stream;
mod table;
mod tensorboard;
mod train;
mod words;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use args::{Cli, Command, TrainArgs};

fn main() -> ExitCode {
    let result = match typed().command {
        None => train::train(&TrainArgs::default()),
        Some(Command::Train(args)) => train::train(&args),
        Some(Command::Eval(args)) => eval::eval(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Labs(args)) => labs::labs(&args),
        Some(Command::Info(args)) => info::info(&args),
        Some(Command::Export(args)) => eval::export(&args),
        Some(Command::Control(args)) => control::control(&args),
        Some(Command::Cube(args)) => cube::cube(&args),
        Some(Command::Backgammon(args)) => backgammon::backgammon(&args),
        Some(Command::Logic(args)) => logic::logic(&args),
        Some(Command::Language(args)) => language::language(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever closed standard output knows it.
        Err(error) if error.is::<out::Closed>() => ExitCode::SUCCESS,
        Err(error) => {
            display::put(&format!("error: {}\n", failure::sentence(&error)));
            ExitCode::from(failure::exit_code(&error))
        }
    }
}

/// The arguments. A mistake in them is answered by one sentence and a hint, not by a page.
fn typed() -> Cli {
    let command = Cli::command().mut_subcommand("eval", eval_options::declare);
    let parsed = command.try_get_matches().and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        if let (Some(Command::Eval(args)), Some(eval)) =
            (&mut cli.command, matches.subcommand_matches("eval"))
        {
            args.options = eval_options::typed(eval);
        }
        Ok(cli)
    });
    parsed.unwrap_or_else(|error| {
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            error.exit();
        }
        let text = error.to_string();
        let sentence = text.lines().next().unwrap_or_default();
        display::put(&format!("{sentence}; see --help\n"));
        std::process::exit(2)
    })
}
