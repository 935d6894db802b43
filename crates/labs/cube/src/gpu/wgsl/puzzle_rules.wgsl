// A puzzle as a table, and its packed states. A kernel that includes this file binds the table as `rules`;
// `Rules` in gpu/rules.rs writes it. PLACES is the number of places, TURNS the number of turns to choose
// from.

// Six places in each word of a state, five bits for the value of each: the piece there with its orientation.
const BITS = 5u;
const FIELDS = 6u;

// Of each place, the index of the network's first input; at the end, the number of inputs.
const FIRST_INPUTS = 0u;
const INVERSES = FIRST_INPUTS + PLACES + 1u;
// Of each turn, and of no turn at the end: how many turns may follow, and which.
const CHOICES = INVERSES + TURNS;
const CHOICE_WORDS = TURNS + 1u;
const SOLVED = CHOICES + (TURNS + 1u) * CHOICE_WORDS;
// Of each turn and each place after it: the place before, and in eight words the value after for each value
// before. Puzzles whose states have an index leave it out.
const MOVES = SOLVED + 4u;
const MOVE_WORDS = 9u;

// The value of a place. The mask 31 has BITS ones.
fn value_at(state: vec4u, place: u32) -> u32 {
  return (state[place / FIELDS] >> (BITS * (place % FIELDS))) & 31u;
}

// The state after a turn.
fn after(state: vec4u, turn: u32) -> vec4u {
  var words = array<u32, 4>(0u, 0u, 0u, 0u);
  for (var word = 0u; word < 4u; word++) {
    var bits = 0u;
    let first = FIELDS * word;
    let end = min(first + FIELDS, PLACES);
    for (var place = first; place < end; place++) {
      let at = MOVES + MOVE_WORDS * (turn * PLACES + place);
      let before = value_at(state, rules[at]);
      // A word of the table holds four values of eight bits.
      let value = (rules[at + 1u + before / 4u] >> (8u * (before % 4u))) & 31u;
      bits |= value << (BITS * (place - first));
    }
    words[word] = bits;
  }
  return vec4u(words[0], words[1], words[2], words[3]);
}

fn is_solved(state: vec4u) -> bool {
  return all(state == vec4u(rules[SOLVED], rules[SOLVED + 1u], rules[SOLVED + 2u], rules[SOLVED + 3u]));
}
