//! The messages between the host of a sweep and its workers: an order, which is a run to compute, and a
//! delivery, which is the checkpoints of that run so far. An order's SHA-256 hash is its [`Version`], so a
//! job of a sweep is named like any other: the generation of its lease, its number, and the hash of what it
//! starts from.

use learnery_lab::fleet::{Reader, Refusal, Version, digest, write_varint};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ORDER_MAGIC;

/// The largest checkpoint that can be sent.
pub const MAX_CHECKPOINT_BYTES: usize = 120 << 20;

/// When a run of a sweep ends: as soon as one of the conditions is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopCondition {
    /// After this many units (training iterations), if set.
    pub units: Option<u64>,
    /// Whether the run ends when it reaches its goal.
    pub at_goal: bool,
}

impl StopCondition {
    /// Whether a run ends after `units` units. `solved_at` is the unit after which it reached its goal, if it
    /// did.
    pub fn is_reached(&self, units: u64, solved_at: Option<u64>) -> bool {
        self.units.is_some_and(|end| units >= end) || (self.at_goal && solved_at.is_some())
    }
}

/// An order: a run for a worker to compute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// The id of the lab.
    pub lab: String,
    /// All settings.
    pub config: Map<String, Value>,
    pub seed: u32,
    pub end: StopCondition,
}

impl Order {
    /// The order as a file. `checkpoint` is the file from which the run goes on; empty if it begins.
    pub fn to_bytes(&self, checkpoint: &[u8]) -> Vec<u8> {
        let json = serde_json::to_vec(self).expect("plain data");
        let mut bytes = ORDER_MAGIC.to_vec();
        write_varint(&mut bytes, json.len() as u64);
        bytes.extend(json);
        bytes.extend_from_slice(checkpoint);
        bytes
    }

    /// Reads an order and the checkpoint behind it, which is empty if the run begins.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), Refusal> {
        let damaged = |problem: String| Refusal::Damaged(problem);
        let mut reader = Reader::new(bytes);
        if reader.array()? != *ORDER_MAGIC {
            return Err(damaged("it is no run of this version of Learnery".into()));
        }
        let length = reader.varint_u32()? as usize;
        let order = serde_json::from_slice(reader.bytes(length)?).map_err(|e| damaged(e.to_string()))?;
        Ok((order, reader.rest()))
    }
}

/// The version of an order's file.
pub fn version_of(file: &[u8]) -> Version {
    Version(digest(file))
}

/// The checkpoints of a run that a worker hands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The newest checkpoint file. Empty if it is longer than [`MAX_CHECKPOINT_BYTES`], so that it cannot be
    /// sent.
    pub last: &'a [u8],
    /// The checkpoint file of the unit in which the goal was first reached, if it was reached and the host
    /// has not confirmed that file yet.
    pub solved: Option<&'a [u8]>,
}

// The first byte of a delivery: where the checkpoint with the goal is. The length of the newest checkpoint
// and the checkpoint follow, then the other one if there is one.
const NO_SOLVED: u8 = 0;
/// The two checkpoints are the same file, as they often are.
const SOLVED_IS_LAST: u8 = 1;
const SOLVED_FOLLOWS: u8 = 2;

impl<'a> Delivery<'a> {
    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = match self.solved {
            None => NO_SOLVED,
            Some(solved) if solved == self.last => SOLVED_IS_LAST,
            Some(_) => SOLVED_FOLLOWS,
        };
        let mut bytes = vec![kind];
        write_varint(&mut bytes, self.last.len() as u64);
        bytes.extend_from_slice(self.last);
        if kind == SOLVED_FOLLOWS {
            bytes.extend_from_slice(self.solved.unwrap_or_default());
        }
        bytes
    }

    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(bytes);
        let kind = reader.byte()?;
        let length = reader.varint_u32()? as usize;
        let last = reader.bytes(length)?;
        let solved = match kind {
            NO_SOLVED => None,
            SOLVED_IS_LAST => Some(last),
            SOLVED_FOLLOWS => return Ok(Self { last, solved: Some(reader.rest()) }),
            _ => return Err(Refusal::Damaged("it has no checkpoint of this version of Learnery".into())),
        };
        reader.end()?;
        Ok(Self { last, solved })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::is_order;

    #[test]
    fn orders_and_deliveries_survive_a_round_trip_and_cuts_are_refused() {
        let order = Order {
            lab: "control".into(),
            config: Map::from_iter([("gamma".into(), 0.9.into())]),
            seed: 7,
            end: StopCondition { units: Some(9), at_goal: true },
        };
        for checkpoint in [&b""[..], b"a checkpoint"] {
            let bytes = order.to_bytes(checkpoint);
            assert!(is_order(&bytes));
            assert_eq!(Order::from_bytes(&bytes), Ok((order.clone(), checkpoint)));
        }
        let bytes = order.to_bytes(b"");
        (0..bytes.len()).for_each(|at| assert!(Order::from_bytes(&bytes[..at]).is_err(), "cut at {at}"));

        for solved in [None, Some(&b"last"[..]), Some(b"earlier")] {
            let delivery = Delivery { last: b"last", solved };
            assert_eq!(Delivery::from_bytes(&delivery.to_bytes()), Ok(delivery));
        }
        let bytes = Delivery { last: b"last", solved: None }.to_bytes();
        (0..bytes.len()).for_each(|at| assert!(Delivery::from_bytes(&bytes[..at]).is_err(), "cut at {at}"));
        assert!(Delivery::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
        assert!(Delivery::from_bytes(&[3, 0]).is_err());
    }

    #[test]
    fn runs_end_at_their_limit_or_at_their_goal_if_they_shall() {
        let end = StopCondition { units: Some(5), at_goal: false };
        assert!(!end.is_reached(4, Some(2)) && end.is_reached(5, None));
        let end = StopCondition { units: None, at_goal: true };
        assert!(!end.is_reached(99, None) && end.is_reached(2, Some(2)));
    }
}
