//! A small race game that can be solved exactly. Each side has two runners. A turn moves one runner by the
//! roll of a die with three unequally likely faces. The side that brings both runners home first wins, and
//! wins double if the opponent has no runner home. A runner that comes home by an exact roll earns its side
//! another turn.

use std::collections::HashMap;
use std::sync::Mutex;

use learnery_search::Game;

/// The probabilities of rolling 1, 2 and 3.
pub const DIE: [f32; 3] = [0.5, 0.3, 0.2];

/// The remaining steps of each side's runners, the farther runner first. In a [`Turn`], `own` is the side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Runners {
    pub own: [u8; 2],
    pub other: [u8; 2],
}

/// The state at the beginning of a turn, after the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub runners: Runners,
    pub roll: u8,
}

/// An afterstate: the position after a turn, before the next roll. `own` is the side that played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Play {
    pub runners: Runners,
    /// Whether the same side has another turn.
    pub extra_turn: bool,
}

/// The rules, without any data.
pub struct Race;

impl Race {
    pub fn turn(own: [u8; 2], other: [u8; 2], roll: u8) -> Turn {
        Turn { runners: Runners { own, other }, roll }
    }

    /// The exact value of an afterstate for the side that played: the expectation over the rolls of the best
    /// next play.
    pub fn exact_after(&self, play: &Play) -> f32 {
        /// Values of plays computed before, by any test. The lock is not held during the recursion, which
        /// takes it too.
        static KNOWN: Mutex<Option<HashMap<Play, f32>>> = Mutex::new(None);
        if let Some(value) = self.terminal_value(play) {
            return value;
        }
        let known =
            KNOWN.lock().expect("the lock is not poisoned").get_or_insert_default().get(play).copied();
        known.unwrap_or_else(|| {
            let sign = if self.passes_turn(play) { -1.0 } else { 1.0 };
            let value: f64 = (0..3)
                .map(|i| f64::from(DIE[i]) * f64::from(sign * self.exact(&self.next_state(play, i))))
                .sum();
            let mut known = KNOWN.lock().expect("the lock is not poisoned");
            known.get_or_insert_default().insert(*play, value as f32);
            value as f32
        })
    }

    /// The exact value of a state for the side to move.
    pub fn exact(&self, turn: &Turn) -> f32 {
        let plays = (0..2).filter_map(|i| self.play(turn, i));
        plays.map(|play| self.exact_after(&play)).fold(f32::NEG_INFINITY, f32::max)
    }

    /// The play that moves runner `i`; `None` if the runner is home or the play equals that of the other
    /// runner.
    fn play(&self, turn: &Turn, i: usize) -> Option<Play> {
        let Runners { own, other } = turn.runners;
        if own[i] == 0 || (i == 1 && own[0] == own[1]) {
            return None;
        }
        let mut moved = own;
        moved[i] = own[i].saturating_sub(turn.roll);
        // The farther runner first.
        moved.sort_unstable_by(|a, b| b.cmp(a));
        Some(Play { runners: Runners { own: moved, other }, extra_turn: own[i] == turn.roll })
    }

    /// Every state in which the side to move has a choice of plays (two runners on the way, with different
    /// distances) and each runner has at most `max_steps` steps to go.
    pub fn turns(max_steps: u8) -> Vec<Turn> {
        let pairs: Vec<[u8; 2]> = (1..=max_steps).flat_map(|a| (0..=a).map(move |b| [a, b])).collect();
        let mut turns = Vec::new();
        for own in pairs.iter().filter(|own| own[0] != own[1] && own[1] > 0) {
            for other in &pairs {
                turns.extend((1..=3).map(|roll| Self::turn(*own, *other, roll)));
            }
        }
        turns
    }
}

impl Game for Race {
    type State = Turn;
    type Play = Play;
    type Scratch = ();

    fn chance_probabilities(&self) -> &[f32] {
        &DIE
    }

    fn plays(&self, turn: &Turn, (): &mut (), plays: &mut Vec<Play>) {
        plays.extend((0..2).filter_map(|i| self.play(turn, i)));
    }

    fn terminal_value(&self, play: &Play) -> Option<f32> {
        let Runners { own, other } = play.runners;
        // A double win is worth 1, a single win half of it. `other[1]` is the nearer runner: above 0, none is
        // home.
        (own == [0, 0]).then_some(if other[1] > 0 { 1.0 } else { 0.5 })
    }

    fn next_state(&self, play: &Play, chance: usize) -> Turn {
        let Runners { own, other } = play.runners;
        let runners = if self.passes_turn(play) { Runners { own: other, other: own } } else { play.runners };
        Turn { runners, roll: chance as u8 + 1 }
    }

    fn passes_turn(&self, play: &Play) -> bool {
        !play.extra_turn
    }

    fn key(&self, turn: &Turn) -> u64 {
        let Runners { own, other } = turn.runners;
        // The last byte keeps keys above 0, because the cache never stores key 0.
        u64::from_le_bytes([own[0], own[1], other[0], other[1], turn.roll, 0, 0, 1])
    }
}
