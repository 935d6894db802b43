//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::eval_options::Typed;
use crate::limits::Span;

/// Small agents that learn in front of you.
///
/// Without a command, the first lab is trained to its goal.
#[derive(Debug, Parser)]
#[command(name = "learnery", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a lab, or continue a saved run
    Train(TrainArgs),
    /// Judge a trained network on fresh games
    Eval(EvalArgs),
    /// Measure the speed of this machine and of the labs on it
    Bench(BenchArgs),
    /// Show the labs, their presets and their settings
    Labs(LabsArgs),
    /// Show what this machine offers and what of it is used
    Info(InfoArgs),
    /// Write the network of a checkpoint alone, for sharing and judging
    Export(ExportArgs),
    /// Ask the worlds of the control lab
    Control(ControlArgs),
    /// Judge a network of the cube lab on every state, or let it solve one
    Cube(CubeArgs),
    /// Ask about positions of backgammon
    Backgammon(BackgammonArgs),
    /// Write down the circuit that the logic lab learned
    Logic(LogicArgs),
    /// Let a network of the language lab write
    Language(LanguageArgs),
}

/// Where a run computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// A graphics card.
    Gpu,
}

/// Arguments of `train`.
#[derive(Args, Debug, Default)]
pub struct TrainArgs {
    /// Which lab; the first of `learnery labs` where nothing is said
    pub lab: Option<String>,
    /// Settings from a TOML file, over those of the preset
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// One setting, over all others; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Named settings to start from
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A text to learn from, for the lab `language`
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
    /// Everything random follows from it [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Threads; the result does not depend on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Where to compute
    #[arg(long, value_enum, default_value_t, value_name = "cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// Stop after this time, such as 60s, 5m or 1h30m
    #[arg(long = "for", value_name = "TIME")]
    pub time: Option<Span>,
    /// Stop after this many more units
    #[arg(long, value_name = "N")]
    pub units: Option<u64>,
    /// Stop at the goal; with another limit, fail when that comes first
    #[arg(long)]
    pub until_goal: bool,
    /// Folder of the run [default: runs/<lab>-<seed>-<n>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue a checkpoint, or the last one of a run folder
    #[arg(long, value_name = "FILE|DIR")]
    pub resume: Option<PathBuf>,
    /// One JSON object a line on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `eval`, beside the options that the labs declare.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// A checkpoint, a network alone, or a run folder
    pub checkpoint: PathBuf,
    /// Options of the lab's evaluation; `eval_options` adds them to the command.
    #[arg(skip)]
    pub options: Typed,
    /// Seed of the evaluation, apart from that of the training
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Beginnings of names, such as kernels or control/ppo; everything where nothing is said
    pub names: Vec<String>,
    /// Measure on this many threads only, instead of on one and on all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// One JSON object a line on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `labs`.
#[derive(Args, Debug)]
pub struct LabsArgs {
    /// Only this lab, with its settings
    pub lab: Option<String>,
    /// One JSON object a lab, with the schema of its settings
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `info`.
#[derive(Args, Debug)]
pub struct InfoArgs {
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A checkpoint or a run folder
    pub checkpoint: PathBuf,
    /// The file to write, which must not exist yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Arguments of `control`.
#[derive(Args, Debug)]
pub struct ControlArgs {
    /// What to ask.
    #[command(subcommand)]
    pub command: ControlCommand,
}

/// What can be asked of the control lab's worlds.
#[derive(Debug, Subcommand)]
pub enum ControlCommand {
    /// Take single steps: reads lines {"state": [...], "action": a}, answers each with a line
    ///
    /// An answer holds the next state, observation, reward, terminated and truncated, as Gymnasium has them. "steps": n
    /// in a question says how many steps the episode has behind it, for the time limit.
    Trace {
        /// cartpole, mountaincar, pendulum, acrobot, or Gymnasium's name
        world: String,
    },
}

/// Arguments of `cube`.
#[derive(Args, Debug)]
pub struct CubeArgs {
    /// What to ask.
    #[command(subcommand)]
    pub command: CubeCommand,
}

/// What can be asked of the cube lab.
#[derive(Debug, Subcommand)]
pub enum CubeCommand {
    /// Follow the greedy policy from all 3,674,160 states
    Eval(CubeEvalArgs),
    /// Solve a scramble, such as "R U' F2"
    Solve(CubeSolveArgs),
}

/// What counts as one turn of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Metric {
    /// Quarter turns.
    Quarter,
    /// Quarter and half turns.
    Half,
}

/// Arguments of `cube eval`.
#[derive(Args, Debug)]
pub struct CubeEvalArgs {
    /// A checkpoint, a network alone, or a run folder
    pub checkpoint: PathBuf,
    /// Search with a beam of this width too
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub beam: Option<u32>,
    /// How many states, drawn from all, the beam starts from
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=4_000_000))]
    pub sample: u64,
    /// What counts as one turn [default: what it was trained with]
    #[arg(long, value_enum, value_name = "quarter|half", hide_possible_values = true)]
    pub metric: Option<Metric>,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `cube solve`.
#[derive(Args, Debug)]
pub struct CubeSolveArgs {
    /// The turns that scrambled it: U R F D L B, each alone, with ' or 2
    #[arg(required_unless_present = "stickers", allow_hyphen_values = true)]
    pub scramble: Option<String>,
    /// What it looks like instead: 24 letters, face by face U R F D L B
    #[arg(long, value_name = "TEXT", conflicts_with = "scramble")]
    pub stickers: Option<String>,
    /// The network that solves it: a checkpoint, a network alone, or a run folder
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// Search with a beam of this width instead of going greedily
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub beam: Option<u32>,
    /// What counts as one turn [default: what it was trained with]
    #[arg(long, value_enum, value_name = "quarter|half", hide_possible_values = true)]
    pub metric: Option<Metric>,
    /// One JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `backgammon`.
#[derive(Args, Debug)]
pub struct BackgammonArgs {
    /// What to ask.
    #[command(subcommand)]
    pub command: BackgammonCommand,
}

/// What can be asked about positions.
///
/// A position is a GNU Backgammon position ID, with or without a match ID behind a colon, or an XGID; it is seen from the
/// side that rolls next.
#[derive(Debug, Subcommand)]
pub enum BackgammonCommand {
    /// Count plays: reads lines POSITION D1 D2, answers each with POSITION D1 D2 COUNT
    ///
    /// Plays that lead to the same position are one; so is a turn without a play.
    Plays {
        /// The positions they lead to, behind the count
        #[arg(long)]
        list: bool,
    },
    /// Judge positions: reads lines POSITION, answers each with POSITION and what the side on roll has
    ///
    /// That is its chances to win, to win a gammon or more, a backgammon, to lose a gammon or more, a backgammon, and what
    /// they are worth in points.
    Eval(OracleArgs),
    /// Choose plays: reads lines POSITION D1 D2, answers each with the position to play to
    ///
    /// Behind it stand what it is worth to whoever plays there, in points, and how many different plays there are.
    Best {
        #[command(flatten)]
        oracle: OracleArgs,
        /// Search so many positions ahead, most where it looks best
        #[arg(long, value_name = "N", conflicts_with = "plies")]
        sims: Option<u32>,
    },
}

/// Who answers.
#[derive(Args, Debug)]
pub struct OracleArgs {
    /// A checkpoint, a network alone, or a run folder
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// Throws to look ahead
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub plies: u8,
}

/// Arguments of `logic`.
#[derive(Args, Debug)]
pub struct LogicArgs {
    /// What to ask.
    #[command(subcommand)]
    pub command: LogicCommand,
}

/// What can be asked of the logic lab.
#[derive(Debug, Subcommand)]
pub enum LogicCommand {
    /// Write the learned circuit as Verilog, C, WGSL or JSON
    ///
    /// Verilog has a module for a cell and one for a grid, C is a program that steps a grid, WGSL a compute shader that
    /// steps 32 grids at once, and JSON the gates.
    Export(LogicExportArgs),
}

/// A language to write circuits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CircuitFormat {
    /// A module for a cell and one for a grid.
    Verilog,
    /// The gates.
    Json,
    /// A compute shader.
    Wgsl,
    /// A program.
    C,
}

/// Arguments of `logic export`.
#[derive(Args, Debug)]
pub struct LogicExportArgs {
    /// A checkpoint, a network alone, or a run folder
    pub checkpoint: PathBuf,
    /// The language
    #[arg(long, value_enum, value_name = "verilog|json|wgsl|c", hide_possible_values = true)]
    pub format: CircuitFormat,
    /// With all gates, also those that do nothing
    #[arg(long)]
    pub full: bool,
    /// The file to write, which must not exist yet [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `language`.
#[derive(Args, Debug)]
pub struct LanguageArgs {
    /// What to ask.
    #[command(subcommand)]
    pub command: LanguageCommand,
}

/// What can be asked of a network of the language lab.
#[derive(Debug, Subcommand)]
pub enum LanguageCommand {
    /// Go on writing behind a prompt
    Sample(LanguageSampleArgs),
}

/// Arguments of `language sample`.
#[derive(Args, Debug)]
pub struct LanguageSampleArgs {
    /// A checkpoint, a network alone, or a run folder
    pub checkpoint: PathBuf,
    /// What to go on from
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    pub prompt: String,
    /// How daring: 0 for always the likeliest token, 1 for as the network guesses
    #[arg(long, value_name = "T", default_value_t = 0.8, allow_negative_numbers = true)]
    pub temperature: f32,
    /// Draw from so many of the likeliest tokens only; 0 for all
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub top_k: u32,
    /// Seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// How many tokens to write; of a task, at most to the end of the answer
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub tokens: u32,
    /// One JSON object on standard output instead of the text as it comes
    #[arg(long)]
    pub json: bool,
}
