// A puzzle whose states have an index: `first coordinate * SECONDS + second coordinate`, each of which turns
// change by a table. A kernel that includes this file binds these tables as `tables`; `Indexed` in
// gpu/indexed/mod.rs writes them. With CLASSES, a node is a class of symmetric states, otherwise a state.

// The coordinate after each turn.
const FIRST_TURNS = 0u;
const SECOND_TURNS = FIRST_TURNS + FIRSTS * TURNS;
// What each coordinate adds to the value of each place, packed like a state in two words.
const FIRST_VALUES = SECOND_TURNS + SECONDS * TURNS;
const SECOND_VALUES = FIRST_VALUES + 2u * FIRSTS;
// The state of each node, and the node of each state in 16 bits.
const NODE_STATES = SECOND_VALUES + 2u * SECONDS;
const STATE_NODES = NODE_STATES + NODES;

fn after_turn(state: u32, turn: u32) -> u32 {
  let first = tables[FIRST_TURNS + state / SECONDS * TURNS + turn];
  return first * SECONDS + tables[SECOND_TURNS + state % SECONDS * TURNS + turn];
}

fn node_of(state: u32) -> u32 {
  #if CLASSES
  return (tables[STATE_NODES + state / 2u] >> (16u * (state % 2u))) & 0xffffu;
  #else
  return state;
  #end
}

// The state that represents a node.
fn state_of(node: u32) -> u32 {
  #if CLASSES
  return tables[NODE_STATES + node];
  #else
  return node;
  #end
}

// The packed state.
fn packed_state(state: u32) -> vec4u {
  let first = FIRST_VALUES + 2u * (state / SECONDS);
  let second = SECOND_VALUES + 2u * (state % SECONDS);
  return vec4u(tables[first] + tables[second], tables[first + 1u] + tables[second + 1u], 0u, 0u);
}
