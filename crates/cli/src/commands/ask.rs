//! Asks a tool of a lab: shows how far it is, and ends it at Ctrl-C or at a deadline with what is known by
//! then.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use learnery_lab::{
    AnyJob, AnyOutput, Budget, Checkpoint, Interrupt, Job, LabError, NamedText, Outcome, Tool, ToolProgress,
    ToolStatus, with_spinning_threads,
};

use crate::args::option_name;
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::terminal::progress_line::ProgressLine;
use crate::terminal::{numbers, table};

/// The inputs that are an argument of the command. Errors about them need no name before them.
const ARGUMENTS: [&str; 2] = ["position", "cube"];

/// A checkpoint and the file that it is from.
pub struct Source {
    pub path: PathBuf,
    pub checkpoint: Checkpoint,
}

impl Source {
    /// Reads a checkpoint, or the last one of a run folder.
    pub fn read(path: &Path) -> Result<Self> {
        let path = checkpoint_path(path)?;
        let (_, checkpoint) = read_checkpoint(&path)?;
        Ok(Self { path, checkpoint })
    }

    /// Begins a tool with the network of the checkpoint.
    pub fn begin<T: Tool>(&self, input: T::Input) -> Result<Job<T>> {
        Job::begin(&self.checkpoint, input, None).map_err(|error| refused(error, Some(&self.path)))
    }

    /// Begins a tool whose input names a file.
    pub fn begin_with_file<T: Tool>(&self, input: T::Input, file: NamedText) -> Result<Job<T>> {
        Job::begin(&self.checkpoint, input, Some(file)).map_err(|error| refused(error, Some(&self.path)))
    }
}

/// A tool's refusal in the words of the command line. `path` is the file of the checkpoint, unless the
/// network comes with the program.
pub fn refused(error: LabError, path: Option<&Path>) -> anyhow::Error {
    match (error, path) {
        // The file was found, so the command is right, but its content is not.
        (LabError::Input { field, problem }, _) if field == "file" => anyhow!(problem),
        (LabError::Input { field, problem }, _) if ARGUMENTS.contains(&field.as_str()) => usage(problem),
        (LabError::Input { field, problem }, _) => usage(format!("{}: {problem}", option_name(&field))),
        (error @ LabError::Evaluation(_), _) => usage(error),
        (error, Some(path)) => file_error(path, error),
        (error, None) => error.into(),
    }
}

/// A tool's refusal of a line of standard input.
pub fn sentence(error: LabError) -> String {
    match error {
        LabError::Input { problem, .. } => problem,
        other => other.to_string(),
    }
}

/// Works until the answer is complete, a stop is requested, or `seconds` have passed. `take` gets each event
/// and returns the note that stands behind the count, such as `, equity +0.1`; `None` for no note. If it
/// writes itself, it clears the line first.
pub fn finish<T: Tool>(
    job: &mut Job<T>,
    stop: &StopSignal,
    seconds: Option<f64>,
    take: &mut dyn FnMut(T::Event, &ProgressLine) -> Option<String>,
) -> Result<Outcome<T::Output>, LabError> {
    let is_over = end_of(stop, seconds);
    job.interrupt_by(Interrupt::new(is_over.clone()));
    let line = ProgressLine::new();
    let mut note = String::new();
    let outcome = job.finish(&mut |events, progress| {
        for event in events {
            note = take(event, &line).unwrap_or_default();
        }
        line.show(|| progress_bar(progress, T::ABOUT.counts, &note));
        !is_over()
    });
    line.clear();
    outcome
}

/// Takes each event of a tool whose types are not known, and returns whether the tool is to go on.
pub type TakeEvent<'a> = &'a mut (dyn FnMut(AnyOutput) -> bool + Send);

/// The answer of a tool whose types are not known, converted by `read`, and whether it is only what was known
/// when the tool was stopped. It is an error if nothing was known yet. `to_error` says an error of the tool
/// in the words of the command.
pub fn answer_of<R: Send>(
    job: &mut dyn AnyJob,
    counts: &str,
    stop: &StopSignal,
    seconds: Option<f64>,
    take: TakeEvent<'_>,
    read: impl FnOnce(AnyOutput) -> Result<R, LabError> + Send,
    to_error: impl FnOnce(LabError) -> anyhow::Error,
) -> Result<(R, bool)> {
    // Threads that wait actively between small pieces of work, instead of sleeping.
    let is_spinning = job.wants_spinning_threads();
    // An output is not `Send`, so it is converted in the thread that has computed it.
    let finish = || -> Result<(Option<R>, bool), LabError> {
        let (output, partial) = finish_any(job, counts, stop, seconds, take)?;
        Ok((output.map(read).transpose()?, partial))
    };
    let finished = if is_spinning { with_spinning_threads(finish) } else { finish() };
    let (answer, partial) = finished.map_err(to_error)?;
    // From here on a first request to stop does not end the process, so that the answer is written.
    stop.begin_saving();
    match answer {
        Some(answer) => Ok((answer, partial)),
        None if stop.requested() => {
            Err(stop.interrupted("it was interrupted before anything was known").into())
        }
        None => bail!("the time of --for ended before anything was known; give it more"),
    }
}

/// The output of a tool whose types are not known, and whether it is only what is known by then.
fn finish_any(
    job: &mut dyn AnyJob,
    counts: &str,
    stop: &StopSignal,
    seconds: Option<f64>,
    take: TakeEvent<'_>,
) -> Result<(Option<AnyOutput>, bool), LabError> {
    let is_over = end_of(stop, seconds);
    job.interrupt_by(Interrupt::new(is_over.clone()));
    let line = ProgressLine::new();
    let mut goes_on = true;
    let answer = loop {
        let mut report = |event| {
            // What is printed of it is to be on a line of its own.
            line.clear();
            goes_on = goes_on && take(event);
        };
        match job.advance(&mut Budget::steps(1), &mut report) {
            Err(error) => break Err(error),
            Ok(ToolStatus::Done(output)) => break Ok((Some(output), false)),
            // On the CPU a tool waits for nothing.
            Ok(ToolStatus::Ready | ToolStatus::Waiting) if !goes_on || is_over() => {
                break Ok((job.partial(), true));
            }
            Ok(ToolStatus::Ready | ToolStatus::Waiting) => {
                line.show(|| progress_bar(job.progress(), counts, ""));
            }
        }
    };
    // An error is to be on a line of its own, too.
    line.clear();
    answer
}

/// Tells whether a job has to end: a stop was requested, or `seconds` have passed from now on.
pub fn end_of(stop: &StopSignal, seconds: Option<f64>) -> impl Fn() -> bool + Clone + Send + Sync + use<> {
    let (stop, begin) = (stop.clone(), Instant::now());
    move || stop.requested() || seconds.is_some_and(|seconds| begin.elapsed().as_secs_f64() >= seconds)
}

/// Such as `█████░░░░░░░░░░░░░░░  25 %  324 games, equity +0.1234`, cut to the width of the terminal.
pub fn progress_bar(progress: ToolProgress, counts: &str, note: &str) -> String {
    const CELLS: usize = 20;
    let full = ((progress.share * CELLS as f64) as usize).min(CELLS);
    let (bar, rest) = ("█".repeat(full), "░".repeat(CELLS - full));
    let percent = (100.0 * progress.share).floor();
    let text = format!("{bar}{rest} {percent:>3} %  {} {counts}{note}", numbers::count(progress.count));
    // A line as wide as the terminal would wrap.
    text.chars().take(table::width(&std::io::stderr()) - 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_shows_share_and_count() {
        let text = progress_bar(ToolProgress { share: 0.259, count: 1324 }, "games", ", equity +0.1");
        assert_eq!(text, "█████░░░░░░░░░░░░░░░  25 %  1,324 games, equity +0.1");
        assert!(
            progress_bar(ToolProgress { share: 1.0, count: 1 }, "games", "").starts_with(&"█".repeat(20))
        );
    }
}
