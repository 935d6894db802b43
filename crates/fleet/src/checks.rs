//! Results that wait for their check, in which the host computes some of their parts again (a part is what
//! can be computed alone, such as a game of self-play). Results of the most trusted actors are checked first,
//! because the fewest of their parts are computed again. So newcomers, however many, do not hold up the
//! others.

use learnery_lab::fleet::JobId;

/// A result that waits for its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The number of the result, in the order of arrival.
    pub ticket: u64,
    pub id: JobId,
    pub actor: String,
    pub result: Vec<u8>,
    /// The parts to compute again.
    pub parts: Vec<u32>,
}

/// The results of the unit (training iteration) under way that wait.
#[derive(Debug, Default)]
pub struct Checks {
    /// The results that nobody checks yet.
    waiting: Vec<Pending>,
    /// The results that are being checked.
    taken_up: Vec<Pending>,
    /// The ticket of the newest result.
    last_ticket: u64,
}

impl Checks {
    /// Adds a result. At most `max_copies` wait for each job. Then the one with the most parts to check makes
    /// room, which can be the new one.
    pub fn add(&mut self, id: JobId, actor: &str, result: Vec<u8>, parts: Vec<u32>, max_copies: usize) {
        if self.all().any(|pending| pending.id == id && pending.actor == actor) {
            return;
        }
        if self.count(id.index) >= max_copies {
            // A result whose check is under way stays.
            let of_job = self.waiting.iter().enumerate().filter(|(_, pending)| pending.id == id);
            let least_trusted = of_job.max_by_key(|(_, pending)| pending.parts.len());
            // The new result is dropped unless its actor is trusted more than that of another.
            let replaceable = least_trusted.filter(|(_, pending)| pending.parts.len() > parts.len());
            let Some((at, _)) = replaceable else { return };
            self.waiting.swap_remove(at);
        }
        self.last_ticket += 1;
        self.waiting.push(Pending { ticket: self.last_ticket, id, actor: actor.into(), result, parts });
    }

    fn all(&self) -> impl Iterator<Item = &Pending> {
        self.waiting.iter().chain(&self.taken_up)
    }

    /// How many results of a job wait.
    pub fn count(&self, index: u32) -> usize {
        self.all().filter(|pending| pending.id.index == index).count()
    }

    /// Whether a result of this actor for the job waits.
    pub fn has(&self, index: u32, actor: &str) -> bool {
        self.all().any(|pending| pending.id.index == index && pending.actor == actor)
    }

    /// Takes up the result with the fewest parts, and of equal ones the earliest.
    pub fn take_up(&mut self) -> Option<&Pending> {
        let waiting = self.waiting.iter().enumerate();
        let (at, _) = waiting.min_by_key(|(_, pending)| (pending.parts.len(), pending.ticket))?;
        self.taken_up.push(self.waiting.swap_remove(at));
        self.taken_up.last()
    }

    /// Takes out the result with this ticket, whose check has ended; `None` if the result is no longer
    /// wanted.
    pub fn finish(&mut self, ticket: u64) -> Option<Pending> {
        let at = self.taken_up.iter().position(|pending| pending.ticket == ticket)?;
        Some(self.taken_up.swap_remove(at))
    }

    /// Forgets the results of an actor.
    pub fn forget(&mut self, actor: &str) {
        self.waiting.retain(|pending| pending.actor != actor);
        self.taken_up.retain(|pending| pending.actor != actor);
    }

    /// Forgets all results, because another unit begins.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.taken_up.clear();
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::fleet::Version;

    use super::*;

    const fn id(index: u32) -> JobId {
        JobId { unit: 1, index, version: Version([0; 32]) }
    }

    #[test]
    fn results_with_the_fewest_parts_come_first() {
        let mut checks = Checks::default();
        checks.add(id(0), "newcomer", vec![], vec![0, 1, 2, 3], 3);
        checks.add(id(1), "known", vec![], vec![2], 3);
        checks.add(id(2), "known", vec![], vec![5], 3);
        // A second result of the same actor for the same job is ignored.
        checks.add(id(1), "known", vec![], vec![3], 3);
        let mut order = Vec::new();
        while let Some(Pending { ticket, .. }) = checks.take_up().cloned() {
            order.extend(checks.finish(ticket).map(|pending| pending.id.index));
        }
        assert_eq!(order, [1, 2, 0]);
    }

    #[test]
    fn many_newcomers_do_not_crowd_out_the_others() {
        let mut checks = Checks::default();
        for actor in 0..50 {
            checks.add(id(0), &format!("newcomer {actor}"), vec![], vec![0, 1, 2, 3], 2);
        }
        assert_eq!(checks.count(0), 2);
        checks.add(id(0), "known", vec![], vec![2], 2);
        assert_eq!(checks.count(0), 2);
        assert!(checks.has(0, "known") && !checks.has(1, "known") && !checks.has(0, "stranger"));
        let ticket = checks.take_up().map(|pending| (pending.actor.clone(), pending.ticket));
        let (actor, ticket) = ticket.expect("a result");
        assert_eq!(actor, "known");
        checks.forget("known");
        assert_eq!(checks.finish(ticket), None, "it is no longer wanted");
        assert_eq!(checks.count(0), 1);
        checks.clear();
        assert_eq!(checks.take_up(), None);
    }
}
