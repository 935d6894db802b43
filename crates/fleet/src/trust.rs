//! How much of an actor's results is computed again, and who is believed no longer. A newcomer's first result
//! is computed again as a whole, of the next one half of the parts, then a quarter, and so on, down to one
//! part of every result. Which parts are checked follows from a secret, after the result has come, so actors
//! cannot know them. Whoever falsifies anything in a first result is found at once. Where one part is checked
//! and a share p of the parts is false, the check finds it with probability p: an actor that was honest until
//! then and falsifies one part of 64 in each result is found after 64 results on average.

use std::collections::BTreeMap;
use std::time::Duration;

use learnery_lab::fleet::digest;
use serde::{Deserialize, Serialize};

use crate::message::Hello;

/// An actor of whom nothing else is known is remembered only while fewer than this many are in quarantine, so
/// that made-up names cannot fill the memory.
const MAX_QUARANTINED: usize = 10_000;

/// What a fleet demands of its actors.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The version of Learnery that every actor must have.
    pub build: String,
    /// The class of bits that every actor must compute, `fused` or `plain`.
    pub bits: String,
    /// How long a job stays with an actor that is not heard of.
    pub lease: Duration,
    /// How often an actor tells that it is working.
    pub heartbeat_interval: Duration,
    /// How many actors may compute the same job when no other is left.
    pub max_copies: usize,
    /// How many actors the fleet takes at the same time.
    pub max_actors: usize,
    /// Units between two checkpoints.
    pub save_every: u64,
    /// Bytes of results after which a checkpoint is due earlier.
    pub max_log_bytes: usize,
    /// Whether all of every result is computed again.
    pub check_all: bool,
    /// Decides which parts are checked. It must be unknown to actors.
    pub secret: [u8; 32],
}

/// Whether an actor computes the bits of a fleet. The error says what to do.
pub fn admit(build: &str, bits: &str, hello: &Hello) -> Result<(), String> {
    if hello.build != build {
        return Err(format!(
            "this fleet computes with Learnery {build}, and this machine has {}; install version {build} and join again",
            hello.build
        ));
    }
    if hello.bits != bits {
        let what_to_do = match bits {
            "fused" => "join from a machine whose processor fuses multiply-adds (most since 2013)",
            _ => "join again with the class of bits of the fleet, `--bits plain`",
        };
        return Err(format!(
            "this fleet computes {bits} bits, and this machine {}; {what_to_do}",
            hello.bits
        ));
    }
    Ok(())
}

/// What is known of an actor's honesty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// Results that agreed with what was computed again.
    agreed: u32,
    /// Why the actor is in quarantine, if it is. Files of earlier versions have the name `lie`.
    #[serde(rename = "lie", default, skip_serializing_if = "Option::is_none")]
    quarantine_reason: Option<String>,
}

/// What is known of all actors. It outlives the host as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    records: BTreeMap<String, Record>,
    /// Checks so far. The number is a part of what is hashed, so each check chooses other parts.
    checks: u64,
}

impl Trust {
    /// Why an actor is in quarantine; `None` if it is not.
    pub fn quarantine_reason(&self, actor: &str) -> Option<&str> {
        self.records.get(actor)?.quarantine_reason.as_deref()
    }

    /// Puts an actor in quarantine for good. At most [`MAX_QUARANTINED`] newcomers are remembered: anybody
    /// can come back with a new name, and all of a newcomer's first result is computed again anyway.
    pub fn quarantine(&mut self, actor: &str, reason: &str) {
        if self.records.contains_key(actor) || self.quarantined() < MAX_QUARANTINED {
            self.records.entry(actor.into()).or_default().quarantine_reason = Some(reason.into());
        }
    }

    /// Counts a result that agreed.
    pub fn agreed(&mut self, actor: &str) {
        let record = self.records.entry(actor.into()).or_default();
        record.agreed = record.agreed.saturating_add(1);
    }

    /// The number of actors in quarantine.
    pub fn quarantined(&self) -> usize {
        self.quarantined_actors().count()
    }

    /// The actors in quarantine, with the reasons.
    pub fn quarantined_actors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.records
            .iter()
            .filter_map(|(actor, record)| Some((actor.as_str(), record.quarantine_reason.as_deref()?)))
    }

    /// Chooses which of `parts` parts of an actor's result are computed again, ascending.
    pub fn choose(&mut self, policy: &Policy, actor: &str, parts: u32) -> Vec<u32> {
        let agreed = self.records.get(actor).map_or(0, |record| record.agreed);
        // Half as many after each result that agreed, but at least one; none if there are no parts.
        let trusted_count = parts.checked_shr(agreed).unwrap_or(0).max(1).min(parts);
        let count = if policy.check_all { parts } else { trusted_count };
        self.checks += 1;
        // The parts in a random order, by hashes that nobody can compute without the secret.
        let mut order: Vec<([u8; 32], u32)> = (0..parts)
            .map(|part| {
                let numbers = [&policy.secret[..], &self.checks.to_le_bytes(), &part.to_le_bytes()];
                (digest(&numbers.concat()), part)
            })
            .collect();
        order.sort_unstable();
        let mut chosen: Vec<u32> = order.iter().take(count as usize).map(|(_, part)| *part).collect();
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> Policy {
        Policy {
            build: "1".into(),
            bits: "fused".into(),
            lease: Duration::from_secs(30),
            heartbeat_interval: Duration::from_secs(10),
            max_copies: 2,
            max_actors: 100,
            save_every: 1,
            max_log_bytes: usize::MAX,
            check_all: false,
            secret: [3; 32],
        }
    }

    #[test]
    fn fewer_parts_are_checked_the_more_has_agreed_and_never_none() {
        let mut trust = Trust::default();
        let mut shares = Vec::new();
        for _ in 0..9 {
            shares.push(trust.choose(&policy(), "a", 64).len());
            trust.agreed("a");
        }
        assert_eq!(shares, [64, 32, 16, 8, 4, 2, 1, 1, 1]);
        assert_eq!(trust.choose(&policy(), "newcomer", 64).len(), 64);
        assert_eq!(trust.choose(&Policy { check_all: true, ..policy() }, "a", 64).len(), 64);
        assert!(trust.choose(&policy(), "a", 0).is_empty());
    }

    #[test]
    fn quarantine_of_newcomers_with_ever_new_names_is_bounded() {
        let mut trust = Trust::default();
        trust.agreed("known");
        (0..MAX_QUARANTINED + 5).for_each(|i| trust.quarantine(&format!("newcomer {i}"), "wrong"));
        trust.quarantine("known", "wrong");
        assert_eq!(trust.quarantined(), MAX_QUARANTINED + 1);
        assert!(trust.quarantine_reason("known").is_some());
    }

    /// Over many checks, every part of a result is chosen about equally often.
    #[test]
    fn chosen_parts_are_spread_evenly() {
        let mut trust = Trust::default();
        (0..6).for_each(|_| trust.agreed("a"));
        let mut counts = [0; 64];
        for _ in 0..6400 {
            let chosen = trust.choose(&policy(), "a", 64);
            counts[chosen[0] as usize] += 1;
        }
        // 6,400 choices among 64 parts are 100 each on average, with a standard deviation of 10.
        assert!(counts.iter().all(|count| (50..150).contains(count)), "{counts:?}");
    }
}
