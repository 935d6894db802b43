//! The metric that the terminal display shows: the metric of the goal or, without a goal, the first one with
//! a chart that is measured.

use learnery_lab::{Better, Goal, MetricSpec, Session};

use crate::terminal::numbers;

/// The metric that the display shows, and its progress.
pub struct WatchedMetric {
    pub spec: &'static MetricSpec,
    pub goal: Option<Goal>,
    /// The newest finite value.
    pub latest: Option<f64>,
    /// The oldest finite value; progress to the goal is measured from here.
    first: Option<f64>,
}

impl WatchedMetric {
    pub fn of(session: &Session) -> Option<Self> {
        let about = session.entry().about;
        let goal = session.goal();
        let name = goal.as_ref().map(|goal| goal.metric).or(about.charts.first().copied())?;
        let spec = about.metrics.iter().find(|spec| spec.name == name)?;
        let mut metric = Self { spec, goal, latest: None, first: None };
        metric.read_history(session);
        metric.record(session);
        Some(metric)
    }

    /// Takes the oldest and the newest value from the history.
    fn read_history(&mut self, session: &Session) {
        let points = self.points(session);
        self.first = points.first().map(|(_, v)| *v);
        self.latest = points.last().map(|(_, v)| *v);
    }

    /// Records the value of the unit (training iteration) that has just ended.
    pub fn record(&mut self, session: &Session) {
        let (about, row) = (session.entry().about, session.row());
        // Settings that can change during a run, such as how often to evaluate, decide whether there is a
        // goal.
        self.goal = session.goal();
        let goal_metric = self.goal.as_ref().map(|goal| goal.metric);
        let goal_spec = about.metrics.iter().find(|spec| goal_metric == Some(spec.name));
        if let Some(spec) = goal_spec.filter(|spec| spec.name != self.spec.name) {
            self.spec = spec;
            self.read_history(session);
        }
        if self.goal.is_none() && self.latest.is_none() {
            // With some settings the metric of the lab's first chart is never measured. Then the display
            // shows the first chart whose metric is.
            let measured = about.charts.iter().find(|name| row.get(name).is_finite());
            let spec = about.metrics.iter().find(|spec| measured.is_some_and(|name| spec.name == *name));
            self.spec = spec.unwrap_or(self.spec);
        }
        let value = row.get(self.spec.name);
        if value.is_finite() {
            self.latest = Some(value);
            self.first = self.first.or(self.latest);
        }
    }

    /// The (unit, value) pairs in the session's history. The history of a long run does not contain every
    /// unit.
    pub fn points(&self, session: &Session) -> Vec<(u64, f64)> {
        let metrics = session.entry().about.metrics;
        let Some(index) = metrics.iter().position(|spec| spec.name == self.spec.name) else { return vec![] };
        let history = session.history();
        let column = history.columns()[index].iter().copied();
        history.units().iter().copied().zip(column).filter(|(_, v)| v.is_finite()).collect()
    }

    /// The fraction of the way from the oldest value to the goal; `None` without a goal or a value. It is 1
    /// only if the goal is reached.
    pub fn goal_fraction(&self) -> Option<f64> {
        let goal = self.goal.as_ref()?;
        let latest = self.latest?;
        let is_reached = match self.spec.better {
            Better::Lower => latest <= goal.target,
            // No goal has a metric that is for information only.
            Better::Higher | Better::Neither => latest >= goal.target,
        };
        let first = self.first.unwrap_or(latest);
        // At most 99 %, because rounding must not show 100 % before the goal is reached.
        Some(if is_reached { 1.0 } else { ((latest - first) / (goal.target - first)).clamp(0.0, 0.99) })
    }

    /// The newest value, with the target if there is one: `312.4 of 475 steps`.
    pub fn text(&self) -> String {
        let value = self.latest.map_or("–".into(), numbers::value);
        let unit = if self.spec.unit.is_empty() { String::new() } else { format!(" {}", self.spec.unit) };
        match &self.goal {
            Some(goal) => format!("{value} of {}{unit}", numbers::target(goal.target)),
            None => format!("{value}{unit}"),
        }
    }
}
