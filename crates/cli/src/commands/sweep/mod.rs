//! `learnery fleet sweep`: trains many runs on the cores of this machine. The folders of the runs are all that it keeps: a run
//! is done if its last checkpoint says so, and is continued from there otherwise.

mod one_run;
mod report;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context as _, Result, anyhow, bail};
use learnery_fleet::sweep::{Ended, Point, points, seeds};
use learnery_lab::{Entry, Session};
use serde_json::{Map, Value};

use crate::args::SweepArgs;
use crate::failure::{one_line, usage};
use crate::run::stop::StopSignal;
use crate::settings::{SettingSources, merge_settings};
use crate::terminal::stderr;
use one_run::{End, OneRun, main_metric};
use report::Report;

/// One run of a sweep.
struct Job {
    point: usize,
    seed: u32,
    folder: PathBuf,
}

/// What all runs of a sweep share.
struct Sweep {
    entry: &'static Entry,
    /// The settings of each point.
    settings: Vec<Map<String, Value>>,
    end: End,
    stop: StopSignal,
}

pub fn sweep(args: &SweepArgs) -> Result<()> {
    let entry = learnery_labs::find(&args.lab).map_err(usage)?;
    let points = points(&args.set).map_err(usage)?;
    let seeds = seeds(&args.seeds).map_err(usage)?;
    let settings: Vec<_> =
        points.iter().map(|point| settings_of(args, entry, point)).collect::<Result<_>>()?;
    let out = args.out.clone().unwrap_or_else(|| Path::new("runs").join(format!("sweep-{}", args.lab)));
    let jobs = jobs(&points, &seeds, &out)?;
    let (end, metric) = end_of_runs(args, entry, &settings, &seeds)?;
    let sweep = Sweep { entry, settings, end, stop: StopSignal::listen()? };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from).min(jobs.len());
    stderr::write(&format!(
        "Learnery: a sweep of {} runs of {} in {}, {threads} at a time.\n",
        jobs.len(),
        entry.about.title,
        out.display()
    ));
    let all = jobs.len();
    let ended = sweep.run(jobs, threads)?;
    report::write(&Report { points: &points, ended: &ended, all, metric, out: &out, json: args.json })?;
    if ended.len() < all {
        stderr::write("Stopped; the same command continues the sweep.\n");
    }
    Ok(())
}

fn settings_of(args: &SweepArgs, entry: &Entry, point: &Point) -> Result<Map<String, Value>> {
    let sources = SettingSources {
        preset: args.preset.as_deref(),
        file: args.config.as_deref(),
        assignments: &point.assignments,
    };
    merge_settings(entry, None, &sources)
}

/// The runs with their folders, seeds first, so that all settings have results early.
fn jobs(points: &[Point], seeds: &[u32], out: &Path) -> Result<VecDeque<Job>> {
    let labels: Vec<String> = points.iter().map(Point::label).collect();
    if let Some(twice) = labels.iter().enumerate().find(|(i, label)| labels[..*i].contains(label)) {
        bail!("two combinations of settings would have the same folder, `{}`", twice.1);
    }
    let job = |seed: u32| {
        let folder = move |label: &String| out.join(label).join(format!("seed-{seed}"));
        labels.iter().enumerate().map(move |(point, label)| Job { point, seed, folder: folder(label) })
    };
    Ok(seeds.iter().flat_map(|seed| job(*seed)).collect())
}

/// When a run ends, and the metric by which it is judged. Also checks that runs can be started with all settings, before the first one is.
fn end_of_runs(
    args: &SweepArgs,
    entry: &Entry,
    settings: &[Map<String, Value>],
    seeds: &[u32],
) -> Result<(End, &'static str)> {
    let (mut has_end, mut metric) = (true, "");
    for settings in settings {
        let session = Session::start(*entry, &Value::Object(settings.clone()), seeds[0]).map_err(usage)?;
        let has_goal = session.goal().is_some();
        if args.until_goal && !has_goal {
            return Err(usage(format!(
                "the lab `{}` has no goal with these settings; say --units N",
                args.lab
            )));
        }
        has_end &= has_goal || session.schedule().is_some();
        metric = main_metric(&session);
    }
    if args.units.is_none() && !has_end {
        return Err(usage(format!(
            "runs of the lab `{}` with these settings have no end; say --units N",
            args.lab
        )));
    }
    Ok((End { units: args.units, at_goal: args.until_goal || args.units.is_none() }, metric))
}

impl Sweep {
    /// Trains all runs that are not done yet, and returns those that are. The first error ends the sweep; the other runs
    /// are saved.
    fn run(&self, jobs: VecDeque<Job>, threads: usize) -> Result<Vec<Ended>> {
        let all = jobs.len();
        let (jobs, done) = (Mutex::new(jobs), Mutex::new((Vec::new(), None)));
        let next = || jobs.lock().ok().and_then(|mut jobs| jobs.pop_front());
        let has_failed = || done.lock().map_or(true, |done| done.1.is_some());
        let work = || {
            while let Some(job) = next().filter(|_| !self.stop.requested() && !has_failed()) {
                let result = self.train(&job, &has_failed);
                let Ok(mut done) = done.lock() else { return };
                let (ended, error) = &mut *done;
                match result {
                    Ok(Some(run)) => {
                        ended.push(run);
                        stderr::write(&progress(ended, all));
                    }
                    Ok(None) => {}
                    Err(problem) => {
                        error.get_or_insert(problem.context(format!("{}", job.folder.display())));
                    }
                }
            }
        };
        thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
        let (ended, error) = done.into_inner().map_err(|_| anyhow!("a run of the sweep panicked"))?;
        match error {
            Some(error) => Err(anyhow!("{}; the same command continues the sweep", one_line(&error))),
            None => Ok(ended),
        }
    }

    /// Trains a run to its end on one thread; `None` if it was stopped before.
    fn train(&self, job: &Job, has_failed: &(dyn Fn() -> bool + Sync)) -> Result<Option<Ended>> {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(1).build().context("no thread can be started")?;
        pool.install(|| {
            let mut run = OneRun::open(self.entry, &self.settings[job.point], job.seed, &job.folder)?;
            let is_done = run.train(self.end, &|| self.stop.requested() || has_failed(), &self.stop)?;
            Ok(is_done.then(|| run.ended(job.point)))
        })
    }
}

fn progress(ended: &[Ended], all: usize) -> String {
    let solved = ended.iter().filter(|run| run.solved_at.is_some()).count();
    format!("{} of {all} runs are done, {solved} reached the goal.\n", ended.len())
}
