//! The interface of a game that can be searched: [`Game`].

/// A two-player zero-sum game with a chance event between turns.
///
/// A *play* is the whole turn of one side, however many pieces it moves. It is represented by its
/// *afterstate* (Sutton and Barto, "Reinforcement learning", 6.8): the position to which it leads, before the
/// next chance event. So two ways to reach the same position are the same play. The afterstate and a chance
/// outcome (the roll of the dice) together are the state in which the next turn begins.
pub trait Game: Sync {
    /// The state at the beginning of a turn, chance outcome included, seen from the side to move.
    type State: Copy + Send + Sync;
    /// A play, represented by its afterstate.
    type Play: Copy + Send + Sync;
    /// Reusable memory of the play generator.
    type Scratch: Default + Send;

    /// The probabilities of the chance outcomes after a turn; they sum to one. A game without chance has a
    /// single outcome.
    fn chance_probabilities(&self) -> &[f32];

    /// Appends every distinct play of `state` to `plays`, in an order that depends on `state` only. There is
    /// always at least one: passing is a play if nothing else is possible.
    fn plays(&self, state: &Self::State, scratch: &mut Self::Scratch, plays: &mut Vec<Self::Play>);

    /// The value of the finished game for the side that played, between -1 and 1; `None` if the game goes on.
    fn terminal_value(&self, play: &Self::Play) -> Option<f32>;

    /// The state after `play` and the chance outcome with index `chance`.
    fn next_state(&self, play: &Self::Play, chance: usize) -> Self::State;

    /// Whether the opponent of the side that played moves next. Games with extra turns return false for some
    /// plays.
    fn passes_turn(&self, _play: &Self::Play) -> bool {
        true
    }

    /// A hash of the state for the cache of evaluations. The cache does not detect that two states have the
    /// same hash, so hashes must differ in all practical cases.
    fn key(&self, state: &Self::State) -> u64;
}
