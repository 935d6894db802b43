//! The host of a sweep at work: it leases runs, takes their checkpoints, keeps the folders, and computes on
//! this machine's threads too, as a worker like the others.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use learnery_lab::LabError;

use super::farewell::tell_complete;
use super::gauges::Gauges;
use super::hub::{Hub, HubEvent};
use super::join::{Join, Joined, LeftRun};
use super::serve::{HEARTBEAT_INTERVAL, LEASE_DURATION, MAX_ACTORS, ServeEnd};
use super::server::Server;
use super::terminal::Terminal;
use crate::message::{FromActor, ToActor};
use crate::status::{FleetStatus, LearnerState, LearnerStatus, SweepStatus};
use crate::sweep::{Queue, Store, SweepHost, SweepNotice, SweepPolicy};
use crate::wire::ActorName;

/// The longest sleep between two looks at the terminal and the leases.
const MAX_SLEEP: Duration = Duration::from_millis(50);
const STATUS_INTERVAL: Duration = Duration::from_secs(1);
/// Messages that are answered before anything else is done.
const MAX_MESSAGES_PER_STEP: usize = 64;
/// How long the last checkpoints of this machine's own threads may take.
const MAX_FINAL_WAIT: Duration = Duration::from_secs(2);
/// If no message comes for this time while the threads leave, all their checkpoints have arrived.
const FINAL_SILENCE: Duration = Duration::from_millis(300);
/// The most sentences about refusals that are printed; the status counts all of them.
const MAX_PRINTED_SENTENCES: u64 = 20;

/// Keeps the runs of a sweep in their folders.
pub trait SweepKeeper: Store {
    /// Writes the queue with its leases, for the next host. Returns false if that was not possible, as on a
    /// full disk.
    fn save_queue(&mut self, queue: &Queue) -> bool;
    /// These runs were under way on this machine's own threads when the sweep was stopped.
    fn left(&mut self, runs: &[LeftRun]);
    /// Completed runs that reached their goal.
    fn solved(&self) -> u32;
    fn terminal(&mut self) -> &mut dyn Terminal;
}

/// A sweep to serve, and how.
pub struct ServeSweep {
    /// The runs, each with the progress that its folder has.
    pub queue: Queue,
    pub build: String,
    pub bits: String,
    /// The id of the lab.
    pub lab: String,
    /// How this machine's own threads join; `None` if this machine only hosts.
    pub own: Option<Join>,
}

impl ServeSweep {
    /// How long leases of an earlier host last in this one.
    pub const LEASE_DURATION: Duration = LEASE_DURATION;
}

/// Serves a sweep until all runs are complete or somebody stops it.
pub fn serve_sweep(
    serve: ServeSweep,
    hub: Hub,
    server: Option<Server>,
    keeper: &mut dyn SweepKeeper,
) -> Result<ServeEnd, LabError> {
    let ServeSweep { queue, build, bits, lab, own } = serve;
    let policy = SweepPolicy {
        build: build.clone(),
        bits: bits.clone(),
        lease: LEASE_DURATION,
        heartbeat_interval: HEARTBEAT_INTERVAL,
        max_actors: MAX_ACTORS,
    };
    let mut serving = Serving {
        host: SweepHost::new(queue, policy),
        hub,
        server,
        keeper,
        own: own.map(Joined::start).transpose()?,
        gauges: Gauges::default(),
        constant_status: FleetStatus { build, bits, lab, work: "runs".into(), ..FleetStatus::default() },
        started_at: Instant::now(),
        printed_sentences: 0,
        sent_bytes: 0,
    };
    let end = serving.run();
    serving.end(&end);
    end
}

struct Serving<'a> {
    host: SweepHost,
    hub: Hub,
    server: Option<Server>,
    keeper: &'a mut dyn SweepKeeper,
    /// This machine's own threads.
    own: Option<Joined>,
    gauges: Gauges,
    /// The fields of the status that do not change; the others have their defaults.
    constant_status: FleetStatus,
    started_at: Instant,
    /// How many sentences about refusals and server failures have been printed.
    printed_sentences: u64,
    /// Bytes sent up to the last status.
    sent_bytes: u64,
}

impl Serving<'_> {
    fn run(&mut self) -> Result<ServeEnd, LabError> {
        // Workers of an earlier host join again.
        self.hub.send_to_all(&ToActor::Unknown);
        let mut status_at = None;
        while !self.host.queue().is_complete() {
            if self.keeper.terminal().is_stopped() {
                self.stop()?;
                let is_complete = self.host.queue().is_complete();
                return Ok(if is_complete { ServeEnd::Complete } else { ServeEnd::Stopped });
            }
            self.tend();
            self.answer(MAX_SLEEP)?;
            self.host.expire(self.started_at.elapsed());
            if status_at.is_none_or(|at: Instant| at.elapsed() >= STATUS_INTERVAL) {
                status_at = Some(Instant::now());
                self.publish_status()?;
            }
        }
        self.publish_status()?;
        Ok(ServeEnd::Complete)
    }

    fn tend(&mut self) {
        if let Some(own) = &mut self.own {
            // The call tells the threads that the connection is back; the status has them as a machine.
            own.progress();
        }
        match self.server.as_mut().map(Server::tend) {
            Some(Ok(true)) => self.keeper.terminal().tell("The server had ended, and was started again."),
            Some(Err(error)) if self.printed_sentences < MAX_PRINTED_SENTENCES => {
                self.printed_sentences += 1;
                self.keeper.terminal().tell(&error.to_string());
            }
            // The server runs, or this process has none, or enough has been printed.
            _ => {}
        }
    }

    /// Takes messages; sleeps up to `time` if there are none. Returns whether any came.
    fn answer(&mut self, time: Duration) -> Result<bool, LabError> {
        let Some(first) = self.hub.next(time) else { return Ok(false) };
        self.take(first)?;
        for _ in 1..MAX_MESSAGES_PER_STEP {
            let Some(arrived) = self.hub.next(Duration::ZERO) else { break };
            self.take(arrived)?;
        }
        Ok(true)
    }

    fn take(&mut self, arrived: HubEvent) -> Result<(), LabError> {
        match arrived {
            HubEvent::Refused(reason) => self.gauges.refused(&reason),
            // Whoever waits for an answer asks again at once.
            HubEvent::Restored => self.hub.send_to_all(&ToActor::Unknown),
            HubEvent::Message { actor, message, bytes } => {
                let is_working = matches!(message, FromActor::Heartbeat(_) | FromActor::Checkpoint(_));
                self.gauges.heard(self.started_at.elapsed(), &actor, bytes, is_working);
                if message == FromActor::Leave {
                    self.gauges.left(&actor);
                }
                self.receive(&actor, message)?;
            }
        }
        Ok(())
    }

    fn receive(&mut self, actor: &ActorName, message: FromActor) -> Result<(), LabError> {
        let now = self.started_at.elapsed();
        // The host consumes the message.
        let hello = if let FromActor::Join(hello) = &message { Some(hello.clone()) } else { None };
        let name = actor.to_string();
        let mut answer = self.host.receive(now, &name, message, self.keeper)?;
        if self.host.has_granted() && !self.keeper.save_queue(self.host.queue()) {
            // The next host would not know the lease. The worker asks again.
            answer = None;
        }
        match (&answer, hello) {
            (Some(ToActor::Welcome { .. }), Some(hello)) => self.gauges.joined(now, actor, hello),
            (Some(ToActor::Job(_)), _) => self.gauges.given_job(actor),
            // Other answers change nothing that the status shows.
            _ => {}
        }
        if let Some(answer) = answer {
            self.hub.send(&name, &answer);
        }
        for notice in self.host.notices() {
            match notice {
                SweepNotice::Refused { actor, reason } => {
                    if self.printed_sentences < MAX_PRINTED_SENTENCES {
                        self.printed_sentences += 1;
                        self.keeper.terminal().tell(&format!("{actor} was refused: {reason}"));
                    }
                    self.gauges.refused(&reason);
                }
                SweepNotice::Finished { actor } => self.gauges.accepted(now, &actor),
                SweepNotice::Late { actor } => {
                    self.gauges.late += 1;
                    if self.printed_sentences < MAX_PRINTED_SENTENCES {
                        self.printed_sentences += 1;
                        self.keeper
                            .terminal()
                            .tell(&format!("{actor} came too late: the run is no longer its own."));
                    }
                }
            }
        }
        Ok(())
    }

    /// This machine's own threads give up their runs, whose checkpoints are still taken.
    fn stop(&mut self) -> Result<(), LabError> {
        if let Some(own) = self.own.take() {
            let (_, mut runs) = own.leave();
            let left_at = Instant::now();
            // Takes what the threads have sent, until nothing more comes.
            while left_at.elapsed() < MAX_FINAL_WAIT && self.answer(FINAL_SILENCE)? {}
            runs.iter_mut().for_each(|run| run.kept = self.host.queue().units(run.index));
            self.keeper.left(&runs);
        }
        // The next host need not wait for those that have left.
        self.keeper.save_queue(self.host.queue());
        Ok(())
    }

    fn end(&mut self, end: &Result<ServeEnd, LabError>) {
        let is_complete = matches!(end, Ok(ServeEnd::Complete));
        if is_complete {
            tell_complete(&mut self.hub, &mut self.gauges, self.started_at);
        }
        if let Some(own) = self.own.take() {
            own.leave();
        }
        match &mut self.server {
            // `quit` lets the server deliver its last messages, so that workers hear that the sweep is
            // complete.
            Some(server) if is_complete => server.quit(),
            Some(server) => server.stop(),
            None => {}
        }
    }

    fn publish_status(&mut self) -> Result<(), LabError> {
        let now = self.started_at.elapsed();
        for actor in self.gauges.forget_silent(now) {
            self.host.receive(now, &actor.to_string(), FromActor::Leave, self.keeper)?;
        }
        let sent_bytes = self.hub.sent_bytes();
        self.gauges.bytes_out.add(now, (sent_bytes - self.sent_bytes) as f64);
        self.sent_bytes = sent_bytes;
        let state = if self.gauges.has_actors() { LearnerState::Waiting } else { LearnerState::NoActors };
        let status = FleetStatus {
            time: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64(),
            seconds: now.as_secs_f64(),
            jobs: self.host.queue().counts(),
            learner: LearnerStatus { state, ..LearnerStatus::default() },
            bytes_in_per_second: self.gauges.bytes_in.per_second(now),
            bytes_out_per_second: self.gauges.bytes_out.per_second(now),
            machines: self.gauges.machines(now, None),
            accepted: self.gauges.accepted,
            late: self.gauges.late,
            refusals: self.gauges.refusals(),
            sweep: Some(SweepStatus { solved: self.keeper.solved() }),
            ..self.constant_status.clone()
        };
        let json = serde_json::to_vec(&status).expect("plain data");
        self.keeper.terminal().status(&status, &json);
        self.hub.publish_status(json);
        Ok(())
    }
}
