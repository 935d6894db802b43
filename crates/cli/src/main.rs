//! Learnery on the command line: train, eval, bench, labs, info, export.
//!
//! Standard output carries results, standard error everything said to people. Exit codes: 0 fine (also
//! for a run that was asked to stop), 1 failed, 2 a mistake in the command.

mod args;
mod bench;
mod display;
mod eval;
mod failure;
mod files;
mod info;
mod labs;
mod limits;
mod metrics_file;
mod opening;
mod out;
mod pace;
mod run_dir;
mod settings;
mod signals;
mod stream;
mod table;
mod tensorboard;
mod train;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command, TrainArgs};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        None => train::train(&TrainArgs::default()),
        Some(Command::Train(args)) => train::train(&args),
        Some(Command::Eval(args)) => eval::eval(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Labs(args)) => labs::labs(&args),
        Some(Command::Info(args)) => info::info(&args),
        Some(Command::Export(args)) => eval::export(&args),
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
