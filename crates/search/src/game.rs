//! What a search has to know of a game.

/// A game of two sides in which chance comes between two turns.
///
/// A turn is one play, however many pieces it moves. What it leaves behind is the play itself, so that plays which lead
/// to the same are one; then chance decides (the dice of the next turn), and a turn begins.
pub trait Game: Sync {
    /// The begin of a turn: everything there is to know, chance included, as the side to move sees it.
    type State: Copy + Send + Sync;
    /// What a turn leaves behind, before chance.
    type Play: Copy + Send + Sync;
    /// What plays are found in, which can be used again and again.
    type Scratch: Default + Send;

    /// How likely each thing is that chance may do after a turn; they sum to one. A game without chance has one thing.
    fn chance_probabilities(&self) -> &[f32];

    /// Appends every play, each once, in an order that depends on `state` alone. There is always one: to do nothing is a
    /// play where nothing else is possible.
    fn plays(&self, state: &Self::State, scratch: &mut Self::Scratch, plays: &mut Vec<Self::Play>);

    /// What the game was worth to the side that played, if it is over. Values are between -1 and 1.
    fn terminal_value(&self, play: &Self::Play) -> Option<f32>;

    /// The turn that begins when chance did `chance`.
    fn next_state(&self, play: &Self::Play, chance: usize) -> Self::State;

    /// Whether the other side is to move then, as nearly always.
    fn passes_turn(&self, _play: &Self::Play) -> bool {
        true
    }

    /// A number that no two states share, or so seldom that it does not matter.
    fn key(&self, state: &Self::State) -> u64;
}
