//! The interface of a game.

/// A two-player zero-sum game with a chance event between turns.
///
/// A turn is a single play, however many pieces it moves. A play is represented by its *afterstate* (Sutton and Barto,
/// "Reinforcement learning", 6.8): the position it leads to, before chance acts. So two ways to reach one position are one play.
/// Then a chance outcome (the dice) completes the state in which the next turn begins.
pub trait Game: Sync {
    /// The state at the beginning of a turn, chance outcome included, seen from the side to move.
    type State: Copy + Send + Sync;
    /// A play, represented by its afterstate.
    type Play: Copy + Send + Sync;
    /// Reusable memory of the play generator.
    type Scratch: Default + Send;

    /// The probabilities of the chance outcomes after a turn; they sum to one. A game without chance has a single outcome.
    fn chance_probabilities(&self) -> &[f32];

    /// Appends every distinct play, in an order that depends on `state` only. There is always at least one: passing is a play if
    /// nothing else is possible.
    fn plays(&self, state: &Self::State, scratch: &mut Self::Scratch, plays: &mut Vec<Self::Play>);

    /// The value of the game for the side that played, if it is over.
    fn terminal_value(&self, play: &Self::Play) -> Option<f32>;

    /// The state after the chance outcome `chance`.
    fn next_state(&self, play: &Self::Play, chance: usize) -> Self::State;

    /// Whether the other side moves next. Games with extra turns return false for some plays.
    fn passes_turn(&self, _play: &Self::Play) -> bool {
        true
    }

    /// A hash of the state for the cache of evaluations. Collisions are not detected, so it must use all 64 bits well.
    fn key(&self, state: &Self::State) -> u64;
}
