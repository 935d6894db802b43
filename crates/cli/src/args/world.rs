//! The arguments of `learnery world`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Args, Debug)]
pub struct WorldArgs {
    #[command(subcommand)]
    pub command: WorldCommand,
}

#[derive(Debug, Subcommand)]
pub enum WorldCommand {
    /// Say what is wrong with the text of a world, or what world it is
    ///
    /// docs/worlds.md describes the language. All errors are listed, each with its line and what to write
    /// instead; a world that is probably not the one that was meant gets warnings.
    Check(WorldCheckArgs),
    /// Step through an episode, and write every state and reward
    Trace(WorldTraceArgs),
    /// Play the world with the keys
    Play(WorldPlayArgs),
    /// Write the world as a program: a class in Python that needs only NumPy, or a compute shader in WGSL
    Export(WorldExportArgs),
}

#[derive(Args, Debug)]
pub struct WorldCheckArgs {
    /// The text of the world; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WorldTraceArgs {
    /// The text of the world; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Seed of the world's random numbers, and of random actions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// The actions, separated by commas: names or numbers of a choice, or numbers; several numbers of one
    /// action are separated by spaces. After the last one the first one follows again [default: random ones]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub actions: Option<String>,
    /// Stop after this many steps, also if the episode goes on
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,
    /// The value of a parameter of the world; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Write all numbers as comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Write JSON to standard output, one object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct WorldPlayArgs {
    /// The text of the world
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Seed of the world's random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// How fast time passes, from 0.05 to 20
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = speed)]
    pub speed: f64,
    /// The value of a parameter of the world; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| (0.05..=20.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.05 to 20".into())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WorldFormat {
    Numpy,
    Wgsl,
}

#[derive(Args, Debug)]
pub struct WorldExportArgs {
    /// The text of the world; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The output format
    #[arg(long, value_enum, value_name = "numpy|wgsl", hide_possible_values = true)]
    pub format: WorldFormat,
    /// The file to write; it must not exist yet [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
