//! `learnery fleet sweep`: trains many runs, on the cores of this machine or on a fleet. The folders of the
//! runs are what it keeps: a run is done if its last checkpoint says so, and is continued from there
//! otherwise.

mod local;
mod one_run;
#[cfg(feature = "fleet")]
mod over_fleet;
mod report;
mod rounds;
#[cfg(feature = "fleet")]
mod store;
mod time_left;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use learnery_fleet::sweep::{
    CompletedRun, Configuration, Halving, StopCondition, parse_configurations, parse_seeds,
    random_configurations,
};
use learnery_lab::{Better, Change, Checkpoint, DataChange, Entry, MetricSpec, Session};
use learnery_labs::OwnData;
use serde_json::{Map, Value};

use super::own_data;
use crate::args::SweepArgs;
use crate::failure::usage;
use crate::run::folder::holds_run;
use crate::run::stop::StopSignal;
use crate::settings::SettingSources;

/// One run of a sweep. Its number is its index in [`Sweep::jobs`].
#[derive(Clone, Debug)]
struct Job {
    /// The index of its configuration.
    configuration: usize,
    seed: u32,
    folder: PathBuf,
}

/// What the runs of one configuration share.
struct Setting {
    /// All settings.
    config: Map<String, Value>,
    /// The data of the user's own that the runs have been given: the world, if they learn one.
    data: Vec<DataChange>,
    /// When the runs end.
    end: StopCondition,
}

/// A sweep: all that its runs share.
struct Sweep {
    entry: &'static Entry,
    /// The world that all runs learn, if it is a text.
    world: Option<OwnData>,
    configurations: Vec<Configuration>,
    /// One for each configuration, in the same order.
    settings: Vec<Setting>,
    /// The runs, seeds first, so that all settings have results early.
    jobs: Vec<Job>,
    /// The metric of the goal, or else the lab's most important one.
    metric: &'static MetricSpec,
    /// The value of the goal.
    target: Option<f64>,
    /// The rounds, after which only the best combinations of settings go on; `None` if all go to their end.
    halving: Option<Halving>,
    out: PathBuf,
    stop: StopSignal,
}

pub fn sweep(args: &SweepArgs) -> Result<()> {
    let sweep = Sweep::new(args)?;
    let completed = if args.local { local::train(args, &sweep)? } else { on_fleet(args, &sweep)? };
    // The process may no longer be ended while the results are written.
    sweep.stop.begin_saving();
    report::write(&sweep, &completed, args.json)?;
    if completed.len() == sweep.jobs.len() {
        return Ok(());
    }
    sweep.stop.missed().map_or(Ok(()), |interrupted| Err(interrupted.into()))
}

#[cfg(feature = "fleet")]
fn on_fleet(args: &SweepArgs, sweep: &Sweep) -> Result<Vec<CompletedRun>> {
    over_fleet::train(args, sweep)
}

#[cfg(not(feature = "fleet"))]
fn on_fleet(args: &SweepArgs, sweep: &Sweep) -> Result<Vec<CompletedRun>> {
    crate::terminal::stderr::write(
        "This program was built without the network of a fleet, so the sweep uses this machine alone, as with --local.\n",
    );
    local::train(args, sweep)
}

impl Sweep {
    /// Plans a sweep. Whatever is wrong with the arguments is found before any file is written.
    fn new(args: &SweepArgs) -> Result<Self> {
        let entry = learnery_labs::find(&args.lab).map_err(usage)?;
        let configurations = match args.random {
            Some(count) => random_configurations(&args.set, count, args.seed.unwrap_or(0)),
            None => parse_configurations(&args.set),
        };
        let configurations = configurations.map_err(usage)?;
        let seeds = parse_seeds(&args.seeds).map_err(usage)?;
        let world = own_data::read_world(entry, args.world.as_deref(), &args.param)?;
        let out = args.out.clone().unwrap_or_else(|| Path::new("runs").join(format!("sweep-{}", args.lab)));
        let configs: Vec<_> = configurations
            .iter()
            .map(|configuration| config_of(args, entry, world.as_ref(), configuration))
            .collect::<Result<_>>()?;
        let jobs = plan_jobs(&configurations, &seeds, &out)?;
        refuse_other_runs(&out, &jobs)?;
        // The sessions check the settings, and have goals and schedules. All configurations are judged by the
        // goal of the last one.
        let (mut settings, mut metric_name, mut target) = (Vec::new(), "", None);
        for config in configs {
            let session = start_run(entry, &config, seeds[0], world.as_ref())?;
            let (data, end) = (data_of(session.changes()), end_of_runs(args, &session)?);
            settings.push(Setting { config, data, end });
            metric_name = main_metric(&session);
            target = session.goal().map(|goal| goal.target);
        }
        let spec = entry.about.metrics.iter().find(|spec| spec.name == metric_name);
        let metric = spec.expect("goals and charts name metrics of the lab");
        let halving = args.halving.map(|eta| plan_halving(eta, &settings, metric)).transpose()?;
        let stop = StopSignal::listen()?;
        stop.fail_with("the sweep was interrupted; the same command continues it");
        Ok(Self { entry, world, configurations, settings, jobs, metric, target, halving, out, stop })
    }
}

/// The rounds of a sweep with `--halving`.
fn plan_halving(eta: u8, settings: &[Setting], metric: &MetricSpec) -> Result<Halving> {
    if settings.len() < 2 {
        return Err(usage("--halving needs several combinations of settings; add values with --set"));
    }
    if metric.better == Better::Neither {
        return Err(usage(format!("--halving: no value of {} is better than another", metric.name)));
    }
    // The shortest runs; `None` if one has no end but its goal.
    let ends: Option<Vec<u64>> = settings.iter().map(|setting| setting.end.units).collect();
    let Some(shortest) = ends.and_then(|ends| ends.into_iter().min()) else {
        return Err(usage("--halving needs the length of the runs; use --units N"));
    };
    Ok(Halving::new(eta.into(), settings.len(), shortest))
}

fn config_of(
    args: &SweepArgs,
    entry: &Entry,
    world: Option<&OwnData>,
    configuration: &Configuration,
) -> Result<Map<String, Value>> {
    let sources = SettingSources {
        preset: args.preset.as_deref(),
        file: args.config.as_deref(),
        assignments: &configuration.assignments,
    };
    own_data::settings(entry, world, &sources)
}

/// Starts a run of a sweep.
fn start_run(
    entry: &Entry,
    config: &Map<String, Value>,
    seed: u32,
    world: Option<&OwnData>,
) -> Result<Session> {
    let mut session = Session::start(*entry, &Value::Object(config.clone()), seed).map_err(usage)?;
    own_data::give(&mut session, world)?;
    Ok(session)
}

/// The data of the user's own among the changes of a run.
fn data_of(changes: &[Change]) -> Vec<DataChange> {
    changes.iter().filter_map(|change| change.data.clone()).collect()
}

/// Whether a checkpoint is of the run with these settings and this seed; the error says what to do if it is
/// not.
fn check_settings(entry: &Entry, setting: &Setting, seed: u32, checkpoint: &Checkpoint) -> Result<()> {
    let header = &checkpoint.header;
    let is_same = header.lab == entry.about.id
        && header.seed == seed
        && (entry.schema)().complete(None, &Value::Object(header.config.clone()))? == setting.config;
    if !is_same {
        bail!("the folder holds a run with other settings; choose another --out");
    }
    if data_of(&header.changes) != setting.data {
        bail!("the folder holds a run with another world or other data; choose another --out");
    }
    Ok(())
}

fn plan_jobs(configurations: &[Configuration], seeds: &[u32], out: &Path) -> Result<Vec<Job>> {
    let labels: Vec<String> = configurations.iter().map(Configuration::label).collect();
    // Labels replace characters that cannot stand in the name of a folder, so two can be the same.
    let repeated = labels.iter().enumerate().find(|(i, label)| labels[..*i].contains(label));
    if let Some((_, label)) = repeated {
        bail!("two combinations of settings would have the same folder, `{label}`");
    }
    let jobs_of_seed = |seed: u32| {
        let folder = move |label: &String| out.join(label).join(format!("seed-{seed}"));
        labels.iter().enumerate().map(move |(configuration, label)| Job {
            configuration,
            seed,
            folder: folder(label),
        })
    };
    Ok(seeds.iter().flat_map(|seed| jobs_of_seed(*seed)).collect())
}

/// Returns an error if the folder of the sweep is that of a run, or holds runs that are not of this sweep:
/// their results would be lost from the table.
fn refuse_other_runs(out: &Path, jobs: &[Job]) -> Result<()> {
    if holds_run(out) {
        bail!("{} holds a run, not a sweep; choose another --out", out.display());
    }
    let own: BTreeSet<&Path> = jobs.iter().map(|job| job.folder.as_path()).collect();
    let folders_in = |path: &Path| {
        // Where no folder can be read, there is no result to lose.
        let mut folders: Vec<PathBuf> =
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        folders.sort();
        folders
    };
    let below = folders_in(out).into_iter().flat_map(|settings| folders_in(&settings));
    let others: Vec<PathBuf> =
        below.filter(|path| !own.contains(path.as_path()) && holds_run(path)).collect();
    let Some(first) = others.first() else { return Ok(()) };
    let more = match others.len() - 1 {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    bail!(
        "{}{more} would be missing in the results of this sweep; add its seed and settings, or choose another --out",
        first.display()
    )
}

/// When runs with these settings end.
fn end_of_runs(args: &SweepArgs, session: &Session) -> Result<StopCondition> {
    let (has_goal, schedule) = (session.goal().is_some(), session.schedule());
    if args.until_goal && !has_goal {
        return Err(usage(format!("the lab `{}` has no goal with these settings; use --units N", args.lab)));
    }
    if args.units.is_none() && !has_goal && schedule.is_none() {
        return Err(usage(format!(
            "runs of the lab `{}` with these settings have no end; use --units N",
            args.lab
        )));
    }
    Ok(StopCondition { units: args.units.or(schedule), at_goal: args.until_goal || args.units.is_none() })
}

/// The metric of the goal, or the most important one.
fn main_metric(session: &Session) -> &'static str {
    let first = session.entry().about.charts.first().copied().unwrap_or_default();
    session.goal().map_or(first, |goal| goal.metric)
}
