//! A sweep on the cores of this machine: as many runs at a time as there are threads.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context as _, Result, anyhow};
use learnery_fleet::sweep::CompletedRun;

use super::one_run::OneRun;
use super::{Job, Sweep, progress_line};
use crate::args::SweepArgs;
use crate::failure::{one_line, usage};
use crate::terminal::stderr;

/// What has become of the runs so far.
#[derive(Default)]
struct Outcome {
    completed: Vec<CompletedRun>,
    /// The first error.
    error: Option<anyhow::Error>,
}

/// Trains all runs that are not done yet, and returns those that are. The first error ends the sweep; the
/// other runs are saved.
pub fn train(args: &SweepArgs, sweep: &Sweep) -> Result<Vec<CompletedRun>> {
    if args.threads == Some(0) {
        return Err(usage("--threads 0: nobody would compute without a fleet"));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let all = sweep.jobs.len();
    let threads = args.threads.map_or(cores, usize::from).min(all);
    stderr::write(&format!(
        "Learnery: a sweep of {all} runs of {} in {}, {threads} at a time.\n",
        sweep.entry.about.title,
        sweep.out.display()
    ));
    let jobs = Mutex::new(sweep.jobs.iter().collect::<VecDeque<_>>());
    let outcome = Mutex::new(Outcome::default());
    // A lock fails only after a thread has panicked.
    let next_job = || jobs.lock().ok().and_then(|mut jobs| jobs.pop_front());
    let has_failed = || outcome.lock().map_or(true, |outcome| outcome.error.is_some());
    let work = || {
        while let Some(job) = next_job().filter(|_| !sweep.stop.requested() && !has_failed()) {
            let result = train_one(sweep, job, &has_failed);
            let Ok(mut outcome) = outcome.lock() else { return };
            let Outcome { completed, error } = &mut *outcome;
            match result {
                Ok(Some(run)) => {
                    completed.push(run);
                    let solved = completed.iter().filter(|run| run.solved_at.is_some()).count();
                    stderr::write(&progress_line(completed.len(), solved, all));
                }
                // The run was stopped.
                Ok(None) => {}
                Err(problem) => {
                    error.get_or_insert(problem.context(format!("{}", job.folder.display())));
                }
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let outcome = outcome.into_inner().map_err(|_| anyhow!("a run of the sweep panicked"))?;
    let Outcome { completed, error } = outcome;
    match error {
        Some(error) => Err(anyhow!("{}; the same command continues the sweep", one_line(&error))),
        None => Ok(completed),
    }
}

/// Trains a run to its end on one thread; `None` if it was stopped before.
fn train_one(
    sweep: &Sweep,
    job: &Job,
    has_failed: &(dyn Fn() -> bool + Sync),
) -> Result<Option<CompletedRun>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("no thread can be started")?;
    let setting = &sweep.settings[job.configuration];
    pool.install(|| {
        let mut run = OneRun::open(sweep.entry, &setting.config, job.seed, &job.folder)?;
        let is_done = run.train(setting.end, &|| sweep.stop.requested() || has_failed(), &sweep.stop)?;
        Ok(is_done.then(|| run.completed(job.configuration, sweep.metric.name)))
    })
}
