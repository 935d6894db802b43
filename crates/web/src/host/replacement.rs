//! Another run takes the place of the open one. It waits for what has been asked of the open run, such as a
//! save, and requests that come meanwhile wait with it.

use std::collections::VecDeque;

use learnery_lab::{LabError, Session};

use super::Host;
use crate::pending::{BetweenUnits, SaveRequest, WaitingRequest};
use crate::protocol::{Reply, ReplyTo, Request};

/// A new run waits at most this long, because a unit can take minutes.
const MAX_REPLACEMENT_WAIT_MS: f64 = 3000.0;

/// A run that waits to replace the open one.
pub(super) struct NextRun {
    session: Session,
    /// The number of the request that opens it.
    id: u32,
    /// When it replaces the open run at the latest.
    deadline: f64,
    /// Requests that have come since. They are for this run, and carried out when it is open.
    requests: VecDeque<(u32, Request)>,
}

impl Host {
    /// Replaces the open run by this one: at once, or if requests wait, once they have been carried out on
    /// the open one. A save at the end of the unit is dropped.
    pub(super) fn replace(&mut self, id: u32, session: Session, now: f64) -> Option<Reply> {
        if self.pending.waiting.is_empty() {
            return Some(self.open(session));
        }
        let deadline = now + MAX_REPLACEMENT_WAIT_MS;
        self.next = Some(NextRun { session, id, deadline, requests: VecDeque::new() });
        None
    }

    /// Opens the run that is to replace the open one, if nothing waits any more or the time is over, and
    /// carries out the requests that have come for it. Of the requests that still wait, saves and questions
    /// are refused, and others are dropped with the run they would change.
    pub(super) fn open_next(&mut self, now: f64) {
        let is_due = |next: &mut NextRun| self.pending.waiting.is_empty() || now >= next.deadline;
        let Some(next) = self.next.take_if(is_due) else { return };
        for WaitingRequest { id, work } in std::mem::take(&mut self.pending.waiting) {
            if let BetweenUnits::Ask(_) = work {
                let message = "the run was replaced before the tool could begin".into();
                if let Ok(answerer) = self.questions.answerer() {
                    answerer.refuse(id, LabError::Tool(message));
                }
            } else if let BetweenUnits::Save(_) = work {
                let message = "the run was replaced before it could be saved".into();
                let reply = Reply::Refused { request: work.name().into(), message };
                self.queued_replies.push_back(ReplyTo::request(id, reply));
            }
        }
        let opened = self.open(next.session);
        self.queued_replies.push_back(ReplyTo::request(next.id, opened));
        for (id, request) in next.requests {
            let reply = self.handle(id, request, now);
            self.queued_replies.extend(reply.map(|reply| ReplyTo::request(id, reply)));
        }
    }

    /// Keeps a request until the next run is open. A save is of the run that is open now, because the page
    /// still shows that one.
    pub(super) fn queue_for_next(&mut self, id: u32, request: Request) {
        match request {
            Request::Save { network_only, wait: _, fingerprint, recipe } => {
                let work = BetweenUnits::Save(SaveRequest { network_only, fingerprint, recipe });
                self.pending.waiting.push_back(WaitingRequest { id, work });
            }
            request => {
                if let Some(next) = &mut self.next {
                    next.requests.push_back((id, request));
                }
            }
        }
    }
}
