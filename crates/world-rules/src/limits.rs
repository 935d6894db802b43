//! The limits of a world. They are counted after loops are unrolled, so that no short text stands for a large
//! program. `docs/worlds.md` states them.

/// Bytes of a text.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;
/// Bytes of a name, and of a text in quotes.
pub const MAX_NAME_BYTES: usize = 60;
pub const MAX_STRING_BYTES: usize = 400;
/// Levels of brackets, signs, powers and `if`s in the text of an expression. Parsing is recursive, so deeper
/// texts could overflow the stack.
pub const MAX_NESTING: usize = 64;
/// Levels of nesting after functions were put in place of their calls.
pub const MAX_EXPANDED_NESTING: usize = 160;
pub const MAX_PARAMETERS: usize = 64;
/// Numbers of the state.
pub const MAX_STATE: usize = 64;
pub const MAX_OBSERVATIONS: usize = 32;
pub const MAX_CHOICES: usize = 16;
pub const MAX_CONTINUOUS_ACTIONS: usize = 4;
/// Operations of a step: all that the next state, the reward, the ends and the observations need. The same
/// limit holds for the beginning of an episode and for a picture.
pub const MAX_OPERATIONS: usize = 4000;
/// Parts of expressions that are looked at while a text is compiled, and nodes of the graph before those that
/// nothing needs are removed. Both bound the time that a hostile text takes.
pub const MAX_EXPANSION: usize = 300_000;
pub const MAX_NODES: usize = 60_000;
/// Operations that are asked for while a text is compiled. Where a formula is repeated most of them are nodes
/// already, and a part such as an element of a vector may ask for hundreds.
pub const MAX_ASKED: usize = 4_000_000;
/// The work for all warnings about a text, mostly nodes that are looked at. What would take more is not warned of.
pub const MAX_JUDGED: usize = 4_000_000;
/// Numbers in a vector or a table.
pub const MAX_VECTOR: usize = 256;
/// Values of the variable of a `for`.
pub const MAX_LOOP: usize = 256;
/// Random numbers of each distribution that a step, or the beginning of an episode, may draw.
pub const MAX_DRAWS: usize = 256;
/// Steps of an episode.
pub const MAX_STEPS: u32 = 1_000_000;
/// Shapes of a picture.
pub const MAX_SHAPES: usize = 500;
/// Points of all polygons and polylines of a picture.
pub const MAX_POINTS: usize = 4000;
/// A state, reward or observation beyond this magnitude ends the episode.
pub const LARGEST: f32 = 1e30;
/// The most errors and warnings that are reported for a text.
pub const MAX_ERRORS: usize = 40;
