//! Rates and counts of a fleet, from which its status is made.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::message::Hello;
use crate::status::{MachineStatus, RefusalCount};
use crate::wire::ActorName;

/// The time over which rates are measured.
const RATE_WINDOW: Duration = Duration::from_secs(60);
/// An actor that is not heard of for this time is forgotten.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// The most reasons of refusals that are counted one by one; further reasons are counted together.
const MAX_REASONS: usize = 32;
/// The most machines in the status: those with the most results.
const MAX_MACHINES: usize = 200;

/// The sum of what arrived within the last minute, in steps of a second.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// The seconds in which something arrived, in order.
    seconds: VecDeque<SecondSum>,
    /// When the first value was added.
    first_at: Option<Duration>,
}

/// What arrived within one second.
#[derive(Clone, Copy, Debug)]
struct SecondSum {
    /// Whole seconds since the host was started.
    second: u64,
    sum: f64,
}

impl Meter {
    pub fn add(&mut self, now: Duration, value: f64) {
        self.first_at.get_or_insert(now);
        let second = now.as_secs();
        match self.seconds.back_mut() {
            Some(last) if last.second == second => last.sum += value,
            _ => self.seconds.push_back(SecondSum { second, sum: value }),
        }
        self.forget(now);
    }

    fn forget(&mut self, now: Duration) {
        let first = now.saturating_sub(RATE_WINDOW).as_secs();
        while self.seconds.front().is_some_and(|oldest| oldest.second < first) {
            self.seconds.pop_front();
        }
    }

    pub fn per_second(&mut self, now: Duration) -> f64 {
        self.forget(now);
        let measured = now.saturating_sub(self.first_at.unwrap_or(now));
        // At least a second, so that the first values do not give an enormous rate.
        let measured = measured.min(RATE_WINDOW).max(Duration::from_secs(1));
        self.seconds.iter().map(|second| second.sum).sum::<f64>() / measured.as_secs_f64()
    }
}

/// A thread of a machine, which is an actor.
#[derive(Clone, Debug)]
struct Thread {
    /// When the last message of the actor arrived.
    heard_at: Duration,
    /// Whether the actor has a job: it was given one last, or its last message was a sign of life.
    is_working: bool,
}

/// A machine, with its actors.
#[derive(Clone, Debug)]
struct Machine {
    label: String,
    hello: Hello,
    threads: BTreeMap<ActorName, Thread>,
    accepted: u64,
    results: Meter,
    bytes: Meter,
}

/// All that is counted.
#[derive(Debug, Default)]
pub struct Gauges {
    /// By name.
    machines: BTreeMap<String, Machine>,
    refusals: BTreeMap<String, u64>,
    pub accepted: u64,
    pub late: u64,
    pub results: Meter,
    pub bytes_in: Meter,
    pub bytes_out: Meter,
}

impl Gauges {
    /// The host has taken in an actor.
    pub fn joined(&mut self, now: Duration, actor: &ActorName, hello: Hello) {
        let machine = self.machines.entry(actor.machine()).or_insert_with(|| Machine {
            label: actor.label().to_owned(),
            hello: hello.clone(),
            threads: BTreeMap::new(),
            accepted: 0,
            results: Meter::default(),
            bytes: Meter::default(),
        });
        machine.hello = hello;
        machine.threads.insert(actor.clone(), Thread { heard_at: now, is_working: false });
    }

    /// A message has arrived. Actors that have not joined are not listed, so their number is bounded.
    pub fn heard(&mut self, now: Duration, actor: &ActorName, bytes: usize, is_working: bool) {
        self.bytes_in.add(now, bytes as f64);
        if let Some(machine) = self.machines.get_mut(&actor.machine()) {
            machine.bytes.add(now, bytes as f64);
            if let Some(thread) = machine.threads.get_mut(actor) {
                *thread = Thread { heard_at: now, is_working };
            }
        }
    }

    /// An actor has been given a job.
    pub fn given_job(&mut self, actor: &ActorName) {
        let machine = self.machines.get_mut(&actor.machine());
        if let Some(thread) = machine.and_then(|machine| machine.threads.get_mut(actor)) {
            thread.is_working = true;
        }
    }

    pub fn left(&mut self, actor: &ActorName) {
        if let Some(machine) = self.machines.get_mut(&actor.machine()) {
            machine.threads.remove(actor);
            if machine.threads.is_empty() {
                self.machines.remove(&actor.machine());
            }
        }
    }

    /// Forgets the actors that have not been heard of for a minute, and returns them.
    pub fn forget_silent(&mut self, now: Duration) -> Vec<ActorName> {
        let threads = self.machines.values().flat_map(|machine| &machine.threads);
        let silent = threads.filter(|(_, thread)| now.saturating_sub(thread.heard_at) >= MAX_SILENCE);
        let silent: Vec<_> = silent.map(|(actor, _)| actor.clone()).collect();
        silent.iter().for_each(|actor| self.left(actor));
        silent
    }

    /// A result counts.
    pub fn accepted(&mut self, now: Duration, actor: &str) {
        self.accepted += 1;
        self.results.add(now, 1.0);
        let machine = ActorName::parse(actor).map(|actor| actor.machine());
        if let Some(machine) = machine.and_then(|name| self.machines.get_mut(&name)) {
            machine.accepted += 1;
            machine.results.add(now, 1.0);
        }
    }

    pub fn refused(&mut self, reason: &str) {
        let is_listed = self.refusals.contains_key(reason) || self.refusals.len() < MAX_REASONS;
        let reason = if is_listed { reason } else { "other reasons" };
        *self.refusals.entry(reason.to_owned()).or_default() += 1;
    }

    /// The refusals, the most frequent first.
    pub fn refusals(&self) -> Vec<RefusalCount> {
        let count = |(reason, count): (&String, &u64)| RefusalCount { reason: reason.clone(), count: *count };
        let mut counts: Vec<_> = self.refusals.iter().map(count).collect();
        counts.sort_by_key(|refusal| std::cmp::Reverse(refusal.count));
        counts
    }

    /// Whether somebody computes for the fleet.
    pub fn has_actors(&self) -> bool {
        !self.machines.is_empty()
    }

    /// The machines, those with the most results first. Without `work_per_job` they have no rate.
    pub fn machines(&mut self, now: Duration, work_per_job: Option<f64>) -> Vec<MachineStatus> {
        let status = |(name, machine): (&String, &mut Machine)| MachineStatus {
            name: name.clone(),
            label: machine.label.clone(),
            build: machine.hello.build.clone(),
            bits: machine.hello.bits.clone(),
            threads: machine.threads.len() as u32,
            working: machine.threads.values().filter(|thread| thread.is_working).count() as u32,
            rate: work_per_job.map(|work| work * machine.results.per_second(now)),
            bytes_per_second: machine.bytes.per_second(now),
            accepted: machine.accepted,
            // Of all its threads, the one that was heard of last.
            silent: machine
                .threads
                .values()
                .map(|thread| now.saturating_sub(thread.heard_at).as_secs_f64())
                .fold(f64::INFINITY, f64::min),
        };
        let mut machines: Vec<_> = self.machines.iter_mut().map(status).collect();
        machines.sort_by_key(|machine| std::cmp::Reverse(machine.accepted));
        machines.truncate(MAX_MACHINES);
        machines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Token;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn meter_measures_over_a_minute_at_most() {
        let mut meter = Meter::default();
        assert_eq!(meter.per_second(at(5)), 0.0);
        (0..10).for_each(|second| meter.add(at(second), 3.0));
        assert_eq!(meter.per_second(at(10)), 3.0);
        assert_eq!(meter.per_second(at(60)), 0.5, "30 in a minute");
        assert_eq!(meter.per_second(at(200)), 0.0);
        assert!(meter.seconds.is_empty());
    }

    #[test]
    fn machines_are_listed_with_their_threads_until_they_fall_silent() {
        let mut gauges = Gauges::default();
        let hello = Hello { build: "1".into(), bits: "plain".into() };
        let actors: Vec<_> = (0..3).map(|i| ActorName::new("a", &Token([1; 16]), i)).collect();
        actors.iter().for_each(|actor| gauges.joined(at(0), actor, hello.clone()));
        gauges.heard(at(30), &actors[0], 600, true);
        gauges.accepted(at(30), &actors[0].to_string());
        let machine = &gauges.machines(at(31), Some(100.0))[0];
        assert_eq!((machine.threads, machine.working, machine.accepted), (3, 1, 1));
        assert_eq!((machine.rate, machine.bytes_per_second, machine.silent), (Some(100.0), 600.0, 1.0));
        assert_eq!(gauges.forget_silent(at(70)), actors[1..]);
        assert_eq!(gauges.machines(at(70), None)[0].threads, 1);
        gauges.left(&actors[0]);
        assert!(!gauges.has_actors());
        // A stranger's messages are counted, but it is not listed.
        gauges.heard(at(80), &actors[0], 5, false);
        assert!(!gauges.has_actors());
    }

    #[test]
    fn reasons_are_bounded() {
        let mut gauges = Gauges::default();
        (0..100).for_each(|i| gauges.refused(&format!("reason {i}")));
        let refusals = gauges.refusals();
        assert_eq!((refusals.len(), refusals[0].count), (MAX_REASONS + 1, 100 - MAX_REASONS as u64));
    }
}
