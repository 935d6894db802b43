//! A race with dice, small enough to be solved: two sides with two runners each, a die with three uneven sides. A side
//! moves one runner a turn; who brings both home wins, twice as much while the other has neither home. A runner that
//! comes home by an exact throw earns another turn.

use std::collections::HashMap;
use std::sync::Mutex;

use learnery_search::Game;

/// How likely each throw is.
pub const DIE: [f32; 3] = [0.5, 0.3, 0.2];

/// Steps that each runner has to go, the further one first, of the side to move and of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Runners {
    pub own: [u8; 2],
    pub other: [u8; 2],
}

/// A turn that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    pub runners: Runners,
    pub throw: u8,
}

/// What a turn leaves behind, still seen from the side that played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Left {
    pub runners: Runners,
    pub again: bool,
}

pub struct Race;

impl Race {
    /// A turn that begins.
    pub fn turn(own: [u8; 2], other: [u8; 2], throw: u8) -> Turn {
        Turn { runners: Runners { own, other }, throw }
    }

    /// What a play is worth, exactly.
    pub fn exact_after(&self, left: &Left) -> f32 {
        static KNOWN: Mutex<Option<HashMap<Left, f32>>> = Mutex::new(None);
        if let Some(end) = self.terminal_value(left) {
            return end;
        }
        let known = KNOWN.lock().expect("nobody panics here").get_or_insert_default().get(left).copied();
        known.unwrap_or_else(|| {
            let sign = if self.passes_turn(left) { -1.0 } else { 1.0 };
            let value: f64 = (0..3)
                .map(|i| f64::from(DIE[i]) * f64::from(sign * self.exact(&self.next_state(left, i))))
                .sum();
            let mut known = KNOWN.lock().expect("nobody panics here");
            known.get_or_insert_default().insert(*left, value as f32);
            value as f32
        })
    }

    /// What a turn is worth, exactly.
    pub fn exact(&self, turn: &Turn) -> f32 {
        let plays = (0..2).filter_map(|i| self.play(turn, i));
        plays.map(|play| self.exact_after(&play)).fold(f32::NEG_INFINITY, f32::max)
    }

    /// What a turn leaves behind in which runner `i` moves, if it can and that is not what the other would leave.
    fn play(&self, turn: &Turn, i: usize) -> Option<Left> {
        let Runners { own, other } = turn.runners;
        if own[i] == 0 || (i == 1 && own[0] == own[1]) {
            return None;
        }
        let mut moved = own;
        moved[i] = own[i].saturating_sub(turn.throw);
        moved.sort_unstable_by(|a, b| b.cmp(a));
        Some(Left { runners: Runners { own: moved, other }, again: own[i] == turn.throw })
    }

    /// Every turn with something to choose and up to `far` steps to go.
    pub fn turns(far: u8) -> Vec<Turn> {
        let pairs: Vec<[u8; 2]> = (1..=far).flat_map(|a| (0..=a).map(move |b| [a, b])).collect();
        let mut turns = Vec::new();
        for own in pairs.iter().filter(|own| own[0] != own[1] && own[1] > 0) {
            for other in &pairs {
                turns.extend((1..=3).map(|throw| Self::turn(*own, *other, throw)));
            }
        }
        turns
    }
}

impl Game for Race {
    type State = Turn;
    type Play = Left;
    type Scratch = ();

    fn chance_probabilities(&self) -> &[f32] {
        &DIE
    }

    fn plays(&self, turn: &Turn, (): &mut (), plays: &mut Vec<Left>) {
        plays.extend((0..2).filter_map(|i| self.play(turn, i)));
    }

    fn terminal_value(&self, left: &Left) -> Option<f32> {
        let Runners { own, other } = left.runners;
        (own == [0, 0]).then_some(if other[1] > 0 { 1.0 } else { 0.5 })
    }

    fn next_state(&self, left: &Left, chance: usize) -> Turn {
        let Runners { own, other } = left.runners;
        let runners = if self.passes_turn(left) { Runners { own: other, other: own } } else { left.runners };
        Turn { runners, throw: chance as u8 + 1 }
    }

    fn passes_turn(&self, left: &Left) -> bool {
        !left.again
    }

    fn key(&self, turn: &Turn) -> u64 {
        let Runners { own, other } = turn.runners;
        u64::from_le_bytes([own[0], own[1], other[0], other[1], turn.throw, 0, 0, 1])
    }
}
