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
    /// Train many runs that differ in seeds and settings, on all cores of this machine
    ///
    /// A sweep that was stopped or killed goes on with the same command, and each of its runs ends with the bytes of a run that was
    /// never stopped. Results are a table, DIR/results.csv and the folders of the runs.
    Sweep(SweepArgs),
}

#[derive(Args, Debug)]
pub struct SweepArgs {
    /// The lab to train
    pub lab: String,
    /// Seeds: a range such as 0..20 (without 20), or single seeds such as 0,3,7
    #[arg(long, value_name = "SEEDS", default_value = "0..10")]
    pub seeds: String,
    /// A setting with one value or several; every combination is trained with every seed
    #[arg(long, value_name = "KEY=VALUE,...")]
    pub set: Vec<String>,
    /// The preset to start from
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A TOML file with settings; they override those of the preset
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// End every run after this many units, or earlier at its goal with --until-goal
    #[arg(long, value_name = "N")]
    pub units: Option<u64>,
    /// End every run at its goal
    #[arg(long)]
    pub until_goal: bool,
    /// Runs at the same time, each on one thread [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The folder of the sweep [default: runs/sweep-<lab>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Use the cores of this machine, which is the default
    #[arg(long)]
    pub local: bool,
    /// Write JSON to standard output, one object per line
    #[arg(long)]
    pub json: bool,
}
