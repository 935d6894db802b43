//! The command line program `learnery`: the commands train, eval, watch, fleet, class, bench, labs, info,
//! export and ask, commands for single labs, and one for worlds of the user's own. A *unit* of a run is one
//! training iteration of its lab.
//!
//! Results go to standard output, messages for people to standard error. Exit codes: 0 success (also for a
//! run without an aim that was stopped by Ctrl-C), 1 failure, 2 a mistake in the command line, 130 and 143 a
//! command that Ctrl-C or a termination signal ended before it had reached its aim.

mod args;
mod commands;
mod device;
mod display;
mod failure;
mod files;
mod fingerprint;
mod json_object;
mod limits;
mod own_address;
mod run;
mod settings;
mod terminal;
mod threads;
mod wayland;

use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ErrorKind;
use learnery_kernels::isa;

use args::{Cli, Command, FleetCommand, TrainArgs};
use commands::{
    ask_by_name, backgammon, bench, class, control, cube, eval, eval_options, export, fleet, info, labs,
    language, logic, shell, sweep, train, watch, world,
};
use terminal::stderr;
use terminal::stdout::StdoutClosed;

fn main() -> ExitCode {
    let arguments = parse_arguments();
    if may_use_gpu(arguments.command.as_ref()) {
        wayland::be_silent();
    }
    if arguments.quiet {
        stderr::be_quiet();
    }
    if let Some(Err(problem)) = arguments.bits.map(isa::choose) {
        stderr::write_error(&problem);
        return ExitCode::FAILURE;
    }
    let result = match arguments.command {
        None => train::train(&TrainArgs::default(), arguments.bits),
        Some(Command::Train(args)) => train::train(&args, arguments.bits),
        Some(Command::Eval(args)) => eval::eval(&args),
        Some(Command::Watch(args)) => watch::watch(&args),
        Some(Command::Fleet(args)) => match args.command {
            FleetCommand::Sweep(args) => sweep::sweep(&args),
            FleetCommand::Serve(args) => fleet::serve(&args),
            FleetCommand::Join(args) => fleet::join(&args),
            FleetCommand::Watch(args) => fleet::watch(&args),
        },
        Some(Command::Class(args)) => class::class(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Labs(args)) => labs::labs(&args),
        Some(Command::Info(args)) => info::info(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Ask(args)) => ask_by_name::ask(&args),
        Some(Command::Control(args)) => control::control(&args),
        Some(Command::Cube(args)) => cube::cube(&args),
        Some(Command::Backgammon(args)) => backgammon::backgammon(&args),
        Some(Command::Logic(args)) => logic::logic(&args),
        Some(Command::Language(args)) => language::language(&args),
        Some(Command::World(args)) => world::world(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man(args)) => shell::man(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The program that reads our output has closed the pipe, as `| head` does. That is not a failure.
        Err(error) if error.is::<StdoutClosed>() => ExitCode::SUCCESS,
        Err(error) => {
            stderr::write_error(&failure::one_line(&error));
            ExitCode::from(failure::exit_code(&error))
        }
    }
}

/// Whether a command may open a GPU.
fn may_use_gpu(command: Option<&Command>) -> bool {
    match command {
        None | Some(Command::Train(_) | Command::Bench(_) | Command::Info(_)) => true,
        Some(Command::Cube(_) | Command::Language(_)) => true,
        Some(Command::Fleet(args)) => matches!(args.command, FleetCommand::Serve(_)),
        _ => false,
    }
}

/// Parses the arguments. On a mistake, prints one sentence and exits with code 2.
fn parse_arguments() -> Cli {
    let parsed = eval_options::program().try_get_matches().and_then(|matches| {
        let mut cli = Cli::from_arg_matches(&matches)?;
        if let (Some(Command::Eval(args)), Some(eval)) =
            (&mut cli.command, matches.subcommand_matches("eval"))
        {
            // Options that the labs declare are unknown at compile time, so clap's derived parser leaves them
            // out.
            args.options = eval_options::from_matches(eval);
        }
        Ok(cli)
    });
    parsed.unwrap_or_else(|error| {
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            error.exit();
        }
        let sentence = failure::sentence_of(&error, &mut eval_options::program());
        let help = if sentence.ends_with('?') { "See --help" } else { "see --help" };
        let separator = if sentence.ends_with('?') { "" } else { ";" };
        stderr::write(&format!("{sentence}{separator} {help}\n"));
        std::process::exit(2)
    })
}
