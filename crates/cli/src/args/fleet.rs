//! Arguments of the commands for many machines and many runs.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Args, Debug)]
pub struct FleetArgs {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Debug, Subcommand)]
pub enum FleetCommand {
    /// Train many runs that differ in seeds and settings, on this machine and those that join
    ///
    /// Starts a server and prints the link with which terminals join; each thread computes one run at a time.
    /// --local needs no server and uses this machine alone. A sweep that was stopped or killed goes on with
    /// the same command, and each of its runs ends with the bytes of a run that was never stopped. Results
    /// are a table, DIR/results.csv, DIR/report.html and the folders of the runs.
    Sweep(SweepArgs),
    /// Train one run with the self-play of many machines, over NATS
    ///
    /// Starts the learner and a server, and prints the links with which terminals and tabs join. The run has
    /// the bits of `learnery train`, whoever computes.
    Serve(ServeArgs),
    /// Compute for a fleet on the threads of this machine
    Join(JoinArgs),
    /// Show what a fleet is doing
    Watch(FleetWatchArgs),
}

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The lab to train
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub lab: Option<String>,
    /// A TOML file with settings; they override those of the preset
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub config: Option<PathBuf>,
    /// A single setting, which overrides all others; can be given several times
    #[arg(long, value_name = "KEY=VALUE", conflicts_with = "resume")]
    pub set: Vec<String>,
    /// The preset to start from
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub preset: Option<String>,
    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "resume")]
    pub seed: u32,
    /// Threads that learn and check results [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// End after this many further units
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub units: Option<u64>,
    /// The folder of the run [default: runs/<lab>-<seed>-<n>]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Go on with the run in this folder; the links stay the same
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    #[command(flatten)]
    pub network: NetworkArgs,
    /// Compute all results again, so that not a single game of a liar counts
    #[arg(long)]
    pub check_all: bool,
}

/// Where the server of a fleet is.
#[derive(Args, Debug)]
pub struct NetworkArgs {
    /// The address at which the server listens; 0.0.0.0 for all addresses of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
    /// The port for terminals
    #[arg(long, value_name = "N", default_value_t = 4222, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// The port for tabs
    #[arg(long, value_name = "N", default_value_t = 4223, value_parser = clap::value_parser!(u16).range(1..))]
    pub web_port: u16,
    /// How others reach this machine, in the links [default: the address of --host]
    #[arg(long, value_name = "NAME")]
    pub link_host: Option<String>,
    /// The address of the page, in the link for tabs
    #[arg(long, value_name = "URL", default_value = "http://localhost:5173")]
    pub site: String,
    /// Encrypt connections with this certificate and its key, files in PEM form
    #[arg(long, num_args = 2, value_names = ["CERTIFICATE", "KEY"])]
    pub tls: Option<Vec<PathBuf>>,
    /// Trust the certificates in this file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Use the server that runs at this address instead of starting one
    #[arg(long, value_name = "URL", conflicts_with_all = ["host", "port", "tls"])]
    pub nats: Option<String>,
}

#[derive(Args, Debug)]
pub struct JoinArgs {
    /// The link for terminals that `learnery fleet serve` has printed, in quotation marks
    pub link: String,
    /// Threads to compute on [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What the fleet calls this machine [default: its host name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Trust the certificates in this file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct FleetWatchArgs {
    /// A link that `learnery fleet serve` has printed, in quotation marks
    pub link: String,
    /// Trust the certificates in this file instead of the system's
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Write JSON to standard output, one object every second
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SweepArgs {
    /// The lab to train
    pub lab: String,
    /// Seeds: a range such as 0..20 (without 20), or single seeds such as 0,3,7
    #[arg(long, value_name = "SEEDS", default_value = "0..10")]
    pub seeds: String,
    /// A setting with one value or several; every combination is trained with every seed. With --random also
    /// a range, such as 16..64, 0.9..1 or 1e-4..1e-2:log, which is drawn evenly by its logarithm
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub set: Vec<String>,
    /// Train this many random combinations of the settings instead of all; none comes twice, and more of them
    /// extend a sweep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub random: Option<u32>,
    /// With --random, the seed of the combinations, not of the runs [default: 0]
    #[arg(long, value_name = "N", requires = "random")]
    pub seed: Option<u32>,
    /// Train all combinations for a part of their units, then only the best third by the goal's metric, three
    /// times as long, and so on (successive halving with an eta of 3); --halving=2 keeps the best half, twice
    /// as long
    #[arg(
        long,
        value_name = "2|3",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "3",
        value_parser = clap::value_parser!(u8).range(2..=3)
    )]
    pub halving: Option<u8>,
    /// The preset to start from
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A TOML file with settings; they override those of the preset
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A world that every run learns, written as a text (control lab only)
    #[arg(long, value_name = "FILE")]
    pub world: Option<PathBuf>,
    /// The value of a parameter of that world; can be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "world")]
    pub param: Vec<String>,
    /// End every run after this many units, or earlier at its goal with --until-goal
    #[arg(long, value_name = "N")]
    pub units: Option<u64>,
    /// End every run at its goal
    #[arg(long)]
    pub until_goal: bool,
    /// Runs at the same time on this machine, each on one thread; 0 leaves all to those that join [default:
    /// all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,
    /// The folder of the sweep [default: runs/sweep-<lab>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Use the cores of this machine only, without a server
    #[arg(long, conflicts_with_all = ["host", "port", "web_port", "link_host", "site", "tls", "ca", "nats"])]
    pub local: bool,
    #[command(flatten)]
    pub network: NetworkArgs,
    /// Write JSON to standard output, one object per line
    #[arg(long)]
    pub json: bool,
}
