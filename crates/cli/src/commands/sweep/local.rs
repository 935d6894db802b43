//! A sweep on the cores of this machine: as many runs at a time as there are threads.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use learnery_fleet::sweep::{CompletedRun, StopCondition};

use super::one_run::{Observer, OneRun};
use super::rounds::Rounds;
use super::time_left::TimeLeft;
use super::{Job, Sweep};
use crate::args::SweepArgs;
use crate::failure::{one_line, usage};
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::stderr;

/// The time between two looks at the line of the progress.
const LINE_INTERVAL: Duration = Duration::from_millis(100);

/// What the threads of a sweep share.
struct Shared<'a> {
    sweep: &'a Sweep,
    rounds: Mutex<Rounds<'a>>,
    time: Mutex<TimeLeft>,
    /// The first error, which ends the sweep.
    error: Mutex<Option<anyhow::Error>>,
}

/// A lock. A thread that panics leaves the values as they were, and its panic ends the sweep.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    let rounds = Rounds::new(sweep);
    stderr::write(&format!(
        "Learnery: a sweep of {all} runs of {} in {}, {threads} at a time.\n{}",
        sweep.entry.about.title,
        sweep.out.display(),
        rounds.plan()
    ));
    let time = Mutex::new(TimeLeft::new(all, rounds.whole_runs()));
    let shared = Shared { sweep, rounds: Mutex::new(rounds), time, error: Mutex::new(None) };
    loop {
        shared.train_round(threads);
        if let Some(error) = lock(&shared.error).take() {
            return Err(anyhow!("{}; the same command continues the sweep", one_line(&error)));
        }
        let mut rounds = lock(&shared.rounds);
        match sweep.halving {
            Some(halving) if rounds.is_complete() && !rounds.is_last() => {
                stderr::write(&rounds.begin_next(halving));
            }
            _ => break,
        }
    }
    let rounds = shared.rounds.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(rounds.into_completed())
}

impl Shared<'_> {
    /// Trains the runs of a round, until all are at its end, or somebody stops the sweep, or one fails.
    fn train_round(&self, threads: usize) {
        let jobs: Mutex<VecDeque<u32>> = Mutex::new(lock(&self.rounds).jobs().into());
        let next_job = || lock(&jobs).pop_front().filter(|_| !self.is_stopped());
        let work = |lines: &Sender<String>| {
            while let Some(index) = next_job() {
                self.train_job(index, lines);
            }
        };
        let (sender, lines) = channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (work, sender) = (&work, sender.clone());
                scope.spawn(move || work(&sender));
            }
            drop(sender);
            self.show(&lines);
        });
    }

    /// Prints lines and shows the progress below them until all threads have ended.
    fn show(&self, lines: &Receiver<String>) {
        let line = ProgressLine::new();
        loop {
            match lines.recv_timeout(LINE_INTERVAL) {
                Ok(text) => {
                    line.clear();
                    stderr::write(&text);
                }
                Err(RecvTimeoutError::Timeout) => line.show(|| self.progress_line().trim_end().to_owned()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        line.clear();
    }

    fn progress_line(&self) -> String {
        let seconds = lock(&self.time).seconds();
        lock(&self.rounds).progress_line(seconds)
    }

    fn is_stopped(&self) -> bool {
        self.sweep.stop.requested() || lock(&self.error).is_some()
    }

    fn train_job(&self, index: u32, lines: &Sender<String>) {
        let job = &self.sweep.jobs[index as usize];
        let (end, share) = {
            let rounds = lock(&self.rounds);
            (rounds.end(job.configuration), rounds.share())
        };
        match self.train_one(index, job, end, lines) {
            Ok(Some((run, has_trained))) => {
                let seconds = {
                    let mut time = lock(&self.time);
                    // A run without a last unit has no share before it ends, see `Rounds::share_of`.
                    match end.units {
                        None if has_trained => time.note_computed(index as usize, share),
                        _ => time.note_skipped(index as usize, share),
                    }
                    time.seconds()
                };
                let mut rounds = lock(&self.rounds);
                rounds.complete(run);
                // The receiver lives longer than the threads.
                _ = lines.send(rounds.progress_line(seconds));
            }
            // The run was stopped.
            Ok(None) => {}
            Err(problem) => {
                let problem = problem.context(format!("{}", job.folder.display()));
                lock(&self.error).get_or_insert(problem);
            }
        }
    }

    /// Trains a run to its end in this round on one thread; `None` if it was stopped before. Says also
    /// whether there was anything to train.
    fn train_one(
        &self,
        index: u32,
        job: &Job,
        end: StopCondition,
        lines: &Sender<String>,
    ) -> Result<Option<(CompletedRun, bool)>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.context("no thread can be started")?;
        let Sweep { stop, metric, .. } = self.sweep;
        let share_of = |units: u64| lock(&self.rounds).share_of(job.configuration, units);
        pool.install(|| {
            let mut run = OneRun::open(self.sweep, job)?;
            let first_unit = run.units();
            let first_share = share_of(first_unit);
            lock(&self.time).note_skipped(index as usize, first_share);
            let completed = |units: u64| {
                let share = share_of(units);
                lock(&self.time).note_computed(index as usize, share);
            };
            let tell = |sentence: &str| {
                // The receiver lives longer than the threads.
                _ = lines.send(format!("{}: {sentence}\n", job.folder.display()));
            };
            let is_stopped = || self.is_stopped();
            let observer = Observer { is_stopped: &is_stopped, completed: &completed, tell: &tell };
            let is_done = run.train(end, stop, &observer)?;
            let has_trained = run.units() > first_unit;
            Ok(is_done.then(|| (run.completed(job.configuration, metric.name), has_trained)))
        })
    }
}
