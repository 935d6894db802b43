//! A run that the monitor watches, read from its folder or from what a fleet publishes.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use learnery_fleet::status::FleetStatus;
use learnery_lab::{Better, Entry, Goal, MetricSpec};
use serde_json::{Map, Value};

#[cfg(feature = "fleet")]
use super::feed::Feed;
use super::history::History;
use super::rows::Row;
use super::series::Series;
use super::tail::Tail;
use crate::failure::io_reason;
use crate::files::SOLVED;
use crate::run::{folder, metrics_file};
use crate::settings;

/// The status of a fleet in the folder of its run.
const STATUS_FILE: &str = "fleet/status.json";
/// The most that is read of a file with settings or a status.
const MAX_FILE_BYTES: u64 = 1 << 22;
/// A run is quiet if it has written nothing for this time, or for the time of [`QUIET_AFTER_UNITS`] units
/// (training iterations) if that is longer.
const QUIET_AFTER: Duration = Duration::from_secs(5);
const QUIET_AFTER_UNITS: f64 = 3.0;

/// The metadata of a run: what is known of it beside its metrics.
#[derive(Default)]
pub struct Metadata {
    /// The lab's id; empty if it is unknown.
    pub lab: String,
    /// `None` if this program does not know the lab.
    pub entry: Option<&'static Entry>,
    pub seed: Option<u32>,
    pub settings: Map<String, Value>,
    pub goal: Option<Goal>,
}

impl Metadata {
    fn of_lab(lab: &str, seed: Option<u32>) -> Self {
        Self { lab: lab.into(), entry: learnery_labs::find(lab).ok(), seed, ..Self::default() }
    }

    /// Reads the text of a run's `config.toml`. What cannot be read of it stays unknown.
    fn of_config(text: &str) -> Self {
        let (lab, seed) = settings::lab_and_seed(text).map_or(("", None), |(lab, seed)| (lab, Some(seed)));
        let mut metadata = Self::of_lab(lab, seed);
        metadata.settings = settings::from_toml(text).unwrap_or_default();
        metadata.goal = metadata.entry.and_then(|entry| entry.goal(&metadata.settings).ok()).flatten();
        metadata
    }

    /// The description of a metric.
    pub fn metric(&self, name: &str) -> Option<&'static MetricSpec> {
        self.entry?.about.metrics.iter().find(|spec| spec.name == name)
    }
}

/// Where a run is read from.
enum Source {
    Folder(Folder),
    #[cfg(feature = "fleet")]
    Fleet(Feed),
}

/// The folder of a run. Its files are read again when they have changed.
struct Folder {
    path: PathBuf,
    rows: Tail,
    config: WatchedFile,
    status: WatchedFile,
}

/// A small file that is replaced when it changes, and read again then.
struct WatchedFile {
    path: PathBuf,
    /// When the content that was read last was written.
    changed: Option<SystemTime>,
}

impl WatchedFile {
    fn new(path: PathBuf) -> Self {
        Self { path, changed: None }
    }

    /// The file's text; `None` if it was read before or cannot be read.
    fn read(&mut self) -> Option<String> {
        let metadata = fs::metadata(&self.path).ok().filter(fs::Metadata::is_file)?;
        let changed = metadata.modified().ok();
        if changed.is_some() && changed == self.changed {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(&self.path).ok()?.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
        self.changed = changed;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A run that is watched, with what was read of it so far.
pub struct WatchedRun {
    pub name: String,
    pub metadata: Metadata,
    pub history: History,
    pub fleet: Option<FleetStatus>,
    /// Whether the run has reached its goal.
    pub is_solved: bool,
    /// When one of its files was last written.
    last_written: Option<SystemTime>,
    /// Why the run cannot be read; `None` if it can.
    pub problem: Option<String>,
    source: Source,
}

/// What reading on in a run has found.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOutcome {
    /// Whether the run differs from when it was read before.
    pub is_new: bool,
    /// Whether more can be read at once.
    pub has_more: bool,
}

impl WatchedRun {
    fn new(name: String, source: Source) -> Self {
        Self {
            name,
            metadata: Metadata::default(),
            history: History::default(),
            fleet: None,
            is_solved: false,
            last_written: None,
            problem: None,
            source,
        }
    }

    /// The run in a folder.
    pub fn in_folder(name: String, path: PathBuf) -> Self {
        let rows = Tail::new(path.join(metrics_file::NAME));
        let (config, status) =
            (WatchedFile::new(path.join(folder::CONFIG)), WatchedFile::new(path.join(STATUS_FILE)));
        Self::new(name, Source::Folder(Folder { path, rows, config, status }))
    }

    /// The run of the fleet behind a link.
    #[cfg(feature = "fleet")]
    pub fn of_fleet(name: String, feed: Feed) -> Self {
        Self::new(name, Source::Fleet(feed))
    }

    /// Waits for the first status, up to `most`, if this is the run of a fleet behind a link.
    #[cfg(feature = "fleet")]
    pub fn wait_for_status(&mut self, most: Duration) -> anyhow::Result<()> {
        if let Source::Fleet(feed) = &mut self.source {
            let status = feed.wait(most)?;
            self.take_status(status);
        }
        Ok(())
    }

    /// The folder that the run is read from; `None` for a fleet behind a link.
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            Source::Folder(folder) => Some(&folder.path),
            #[cfg(feature = "fleet")]
            Source::Fleet(_) => None,
        }
    }

    /// Reads what is new.
    pub fn read_on(&mut self) -> ReadOutcome {
        match &mut self.source {
            Source::Folder(_) => self.read_folder(),
            #[cfg(feature = "fleet")]
            Source::Fleet(feed) => {
                let (statuses, problem) = feed.take();
                let is_new = !statuses.is_empty() || problem.is_some();
                // A problem ends the feed, so an earlier one remains.
                self.problem = problem.or(self.problem.take());
                statuses.into_iter().for_each(|status| self.take_status(status));
                ReadOutcome { is_new, has_more: false }
            }
        }
    }

    fn read_folder(&mut self) -> ReadOutcome {
        #[cfg_attr(not(feature = "fleet"), allow(irrefutable_let_patterns, reason = "the only source"))]
        let Source::Folder(folder) = &mut self.source else { return ReadOutcome::default() };
        let mut outcome = ReadOutcome::default();
        if let Some(text) = folder.config.read() {
            self.metadata = Metadata::of_config(&text);
            outcome.is_new = true;
        }
        if let Some(status) = folder.status.read().and_then(|text| serde_json::from_str(&text).ok()) {
            self.fleet = Some(status);
            outcome.is_new = true;
        }
        let metrics = folder.path.join(metrics_file::NAME);
        match folder.rows.read() {
            Ok(batch) => {
                outcome.is_new |= batch.is_new || !batch.lines.is_empty() || self.problem.is_some();
                outcome.has_more = batch.has_more;
                self.history.take(&batch);
                self.problem = None;
                let ends_within_a_row = folder.rows.ends_within_a_line();
                outcome.is_new |= ends_within_a_row != self.history.ends_within_a_row;
                self.history.ends_within_a_row = ends_within_a_row;
            }
            Err(e) => {
                let problem = Some(format!("{} cannot be read: {}", metrics.display(), io_reason(&e)));
                outcome.is_new |= self.problem != problem;
                self.problem = problem;
            }
        }
        let rows_written = fs::metadata(&metrics).and_then(|metadata| metadata.modified()).ok();
        // A fleet's rows come with its checkpoints only, its status every second.
        self.last_written = rows_written.max(folder.status.changed);
        let is_solved = folder.path.join(SOLVED).exists();
        outcome.is_new |= is_solved != self.is_solved;
        self.is_solved = is_solved;
        outcome
    }

    /// Takes in a status. If it is the first of its unit, its metrics become a row.
    #[cfg_attr(not(feature = "fleet"), expect(dead_code, reason = "only a link publishes"))]
    fn take_status(&mut self, status: FleetStatus) {
        if self.metadata.lab != status.lab {
            self.metadata = Metadata::of_lab(&status.lab, Some(status.seed));
        }
        if !status.metrics.is_empty() && status.unit > self.history.unit() {
            let values = status.metrics.iter().filter(|(_, value)| value.is_finite()).cloned().collect();
            let (unit, seconds) = (status.unit, Some(status.seconds));
            self.history.push(Row { unit, work: None, seconds, values });
        }
        self.last_written = Some(SystemTime::now());
        self.fleet = Some(status);
    }

    /// How long ago one of the run's files was written.
    pub fn age(&self) -> Option<Duration> {
        // If the file was written in the future, by another clock, the age is 0.
        self.last_written.map(|written| SystemTime::now().duration_since(written).unwrap_or_default())
    }

    /// Whether the run has written something lately, so that it probably goes on.
    pub fn is_growing(&self) -> bool {
        let (units_per_second, _) = self.history.per_second();
        let seconds_per_unit = if units_per_second > 0.0 { 1.0 / units_per_second } else { 0.0 };
        let quiet_after_seconds = QUIET_AFTER.as_secs_f64().max(QUIET_AFTER_UNITS * seconds_per_unit);
        self.age().is_some_and(|age| age.as_secs_f64() < quiet_after_seconds)
    }

    /// The state of the run in a word or two.
    pub fn state(&self) -> &'static str {
        match (self.is_growing(), self.is_solved) {
            _ if self.problem.is_some() => "unreadable",
            _ if self.history.rows == 0 => "no rows yet",
            (true, false) => "growing",
            (true, true) => "growing, goal reached",
            (false, true) => "goal reached",
            (false, false) => "quiet",
        }
    }

    /// The metric that says most: that of the goal, or the first of the lab's charts that is measured.
    pub fn main_metric(&self) -> Option<&str> {
        if let Some(goal) = &self.metadata.goal {
            return Some(goal.metric);
        }
        let is_measured = |name: &&&str| self.history.series.contains_key(**name);
        let charts = self.metadata.entry.map_or(&[][..], |entry| entry.about.charts);
        let first = charts.iter().find(is_measured).or(charts.first()).copied();
        first.or_else(|| self.history.series.keys().next().map(String::as_str))
    }

    pub fn series(&self, metric: &str) -> Option<&Series> {
        self.history.series.get(metric)
    }

    /// The best value of a metric; `None` if neither higher nor lower ones are better.
    pub fn best(&self, metric: &str) -> Option<f64> {
        let series = self.series(metric)?;
        match self.metadata.metric(metric)?.better {
            Better::Higher => Some(series.highest),
            Better::Lower => Some(series.lowest),
            Better::Neither => None,
        }
    }

    /// The value of a metric at which the goal is reached.
    pub fn target(&self, metric: &str) -> Option<f64> {
        self.metadata.goal.as_ref().filter(|goal| goal.metric == metric).map(|goal| goal.target)
    }
}
