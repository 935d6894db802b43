//! The commands and their arguments, parsed by clap. Doc comments on commands and arguments are the help
//! texts of `--help`.

mod class;
mod fleet;
mod lab_commands;
mod tool_inputs;
mod watch;
mod world;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use learnery_kernels::isa::Bits;
use learnery_lab::Precision;

use crate::fingerprint::ExpectedFingerprint;
use crate::limits::{Keep, SaveInterval, TypedDuration};
pub use class::{ClassArgs, ClassCommand, ClassServeArgs};
#[cfg(feature = "fleet")]
pub use fleet::NetworkArgs;
pub use fleet::{FleetArgs, FleetCommand, FleetWatchArgs, JoinArgs, ServeArgs, SweepArgs};
pub use lab_commands::{
    BackgammonAnalyseArgs, BackgammonArgs, BackgammonCommand, BackgammonCubeArgs, BackgammonDuelArgs,
    BackgammonMatchArgs, BackgammonRatesArgs, BackgammonRolloutArgs, BackgammonServeArgs, ControlArgs,
    ControlCommand, CubeArgs, CubeCommand, CubeEvalArgs, CubeSolveArgs, LanguageArgs, LanguageCommand,
    LanguageSampleArgs, LogicArgs, LogicCommand, LogicExportArgs, SOLVE_SECONDS, TurnMetric,
};
pub use tool_inputs::option_name;
pub use watch::WatchArgs;
pub use world::{
    WorldArgs, WorldCheckArgs, WorldCommand, WorldExportArgs, WorldFormat, WorldPlayArgs, WorldTraceArgs,
};

/// Options of an evaluation as typed, each (name, text of the value). They are validated later, by the schema
/// of the lab that the checkpoint belongs to.
pub type RawOptions = Vec<(String, String)>;

/// Small agents that learn in front of you.
///
/// Without a command, the first lab is trained to its goal.
#[derive(Debug, Parser)]
#[command(name = "learnery", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    /// The class of bits to compute: fused where the processor can, or plain as in browsers without relaxed
    /// SIMD
    #[arg(long, global = true, value_name = "fused|plain")]
    pub bits: Option<Bits>,
    /// Write no messages to standard error but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a lab, or continue a saved run
    Train(TrainArgs),
    /// Measure the strength of a trained network
    #[command(
        after_help = "Ctrl-C ends an evaluation with a report about the games, episodes, states, problems or tests that are \
        done. It says that it was interrupted, and with --json it has `\"partial\": true`."
    )]
    Eval(EvalArgs),
    /// Watch runs and fleets in the terminal, while they go on or afterwards
    ///
    /// Reads what runs write, and never writes or locks anything. Leaving ends nothing but the watching; h
    /// lists the keys.
    Watch(WatchArgs),
    /// Train one run on many machines, or many runs on this one
    Fleet(FleetArgs),
    /// Serve a class: its pupils learn in their tabs, and the teacher sees all of them
    Class(ClassArgs),
    /// Measure the speed of this machine, and of the labs on it
    Bench(BenchArgs),
    /// Show the labs, their presets and their settings
    Labs(LabsArgs),
    /// Show the hardware of this machine and what is used of it
    Info(InfoArgs),
    /// Write the networks of a checkpoint for other programs, or the recipe that repeats its run
    Export(ExportArgs),
    /// Ask a trained network what a tool of its lab can tell, such as `plays`, and write the answer as JSON
    ///
    /// `learnery labs LAB` lists the tools of a lab and their inputs. Python's `agent.ask` gives the same answers.
    /// Ctrl-C ends a tool with what is known by then, which is marked as partial.
    Ask(AskArgs),
    /// Take single steps in the worlds of the control lab
    Control(ControlArgs),
    /// Evaluate a network of the cube lab on every state, or solve a scramble with it
    Cube(CubeArgs),
    /// List plays, evaluate positions and choose plays
    #[command(
        after_help = "A POSITION is a GNU Backgammon position ID, optionally with a match ID after a colon, or an XGID. It \
                            is seen from the player on roll."
    )]
    Backgammon(BackgammonArgs),
    /// Export a circuit that the logic lab learned
    Logic(LogicArgs),
    /// Write text with a network of the language lab
    Language(LanguageArgs),
    /// Check, try, play and export a world of your own
    World(WorldArgs),
    /// Write a script with which a shell completes the words of this program
    Completions(CompletionsArgs),
    /// Write the manual page of this program
    Man(ManArgs),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Device {
    /// A hardware GPU if it is likely to be faster, otherwise the CPU.
    #[default]
    Auto,
    Cpu,
    Gpu,
}

#[derive(Args, Debug, Default)]
pub struct TrainArgs {
    /// The lab to train [default: the first of `learnery labs`]
    pub lab: Option<String>,
    /// A TOML file with settings; they override those of the preset
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A single setting, which overrides all others; can be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The preset to start from
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A text file to learn from (language lab only)
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
    /// A world to learn, written as a text (control lab only); with --resume, other rules from here on
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,
    /// The value of a parameter of that world; can be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "world")]
    pub param: Vec<String>,
    /// Seed of all random numbers [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Number of threads; the result does not depend on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The device to train on; auto takes a GPU for large networks
    #[arg(long, value_enum, default_value_t, value_name = "auto|cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// The operands of matrix products on a GPU; sums stay f32 [default: f32, or as before with --resume]
    #[arg(long, value_name = "f32|f16")]
    pub precision: Option<Precision>,
    /// Stop after this time, such as 60s, 5m or 1h30m
    #[arg(long = "for", value_name = "TIME")]
    pub time: Option<TypedDuration>,
    /// Stop after this many further units (iterations, rounds, epochs: what the lab counts)
    #[arg(long, value_name = "N")]
    pub units: Option<u64>,
    /// Save the run this often: a time such as 30s, or a number of units such as 100 [default: 30s]
    #[arg(long, value_name = "TIME|N")]
    pub save_every: Option<SaveInterval>,
    /// Also keep the checkpoints of the last N saves, as checkpoint-UNIT.safetensors in the folder of the
    /// run, or the one with the best value of the goal's metric so far, as best.safetensors; 3,best keeps
    /// both
    #[arg(long, value_name = "N|best")]
    pub keep: Option<Keep>,
    /// Stop at the goal; if another limit comes first, exit with code 1
    #[arg(long)]
    pub until_goal: bool,
    /// Repeat a run: a recipe file, - for standard input, or the link of a run on the page, in quotation
    /// marks
    ///
    /// The run starts with the recipe's seed and settings, makes its changes at their units, and ends at its
    /// last unit. If the recipe has a fingerprint, the run fails unless it ends with the same.
    #[arg(
        long,
        value_name = "FILE|LINK",
        conflicts_with_all = ["lab", "config", "set", "preset", "text", "world", "param", "seed", "resume"]
    )]
    pub recipe: Option<String>,
    /// Fail unless the run ends with this fingerprint; its first 8 digits are enough
    #[arg(long, value_name = "HASH")]
    pub expect: Option<ExpectedFingerprint>,
    /// The folder of the run [default: runs/<lab>-<seed>-<n>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue from a checkpoint, or from the last one of a run folder
    #[arg(long, value_name = "FILE|DIR")]
    pub resume: Option<PathBuf>,
    /// Write a table of all metrics every few seconds, instead of the picture or the lines where there is no
    /// terminal
    #[arg(long)]
    pub plain: bool,
    /// Write JSON to standard output, one object per line
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `eval`, besides the options that the labs declare.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    /// Options that the labs declare; `commands::eval_options` adds them to the command.
    #[arg(skip)]
    pub options: RawOptions,
    /// Seed of the evaluation, independent of the training seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u32,
    /// Number of threads [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct AskArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    /// The tool; `learnery labs LAB` lists those of a lab
    pub tool: Option<String>,
    /// An input of the tool, such as position=...; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// End the tool after this time, such as 10s, with what is known by then
    #[arg(long = "for", value_name = "TIME")]
    pub time: Option<TypedDuration>,
    /// Also print what the tool reports on its way, each on a line of its own before the answer
    #[arg(long)]
    pub events: bool,
    /// Number of threads; the answer does not depend on it [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Only benches whose names begin like this, such as kernels or control/ppo; with --device gpu, matmul or
    /// the names of labs [default: all]
    pub names: Vec<String>,
    /// Measure the GPU instead of the CPU
    #[arg(long, value_enum, default_value = "cpu", value_name = "cpu|gpu", hide_possible_values = true)]
    pub device: Device,
    /// With --device gpu, print one row for the table of GPUs in docs/gpu.md
    #[arg(long)]
    pub report: bool,
    /// With --device gpu, only compare products by tensor cores (cooperative matrices) with those of another
    /// kernel; ends with an error if one differs
    #[arg(long, conflicts_with = "report")]
    pub check: bool,
    /// Measure with this many threads only, instead of with one and with all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write JSON to standard output, one object per line
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct LabsArgs {
    /// Show this lab only, with its settings
    pub lab: Option<String>,
    /// Write JSON, one object per lab, with the schema of its settings
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Write one JSON object to standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A checkpoint, an exported network, or a run folder
    pub checkpoint: PathBuf,
    /// What to write
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: ExportFormat,
    /// The file to write, or with onnx and safetensors the folder; it must not exist yet [default: beside the
    /// checkpoint, such as RUN-onnx or RUN-network.safetensors; standard output for c, recipe and link]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// What `learnery export` writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The networks alone, in a file that every command reads
    #[default]
    Network,
    /// A folder with that file as model.safetensors, and a model card
    Safetensors,
    /// A folder with an ONNX file for each network
    Onnx,
    /// A C header with a function for each network, if they are small
    C,
    /// The recipe of the run
    Recipe,
    /// The recipe as a link to the page
    Link,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "bash|zsh|fish|elvish|powershell", hide_possible_values = true)]
    pub shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Write a page for every command into this folder instead of one page to standard output
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
