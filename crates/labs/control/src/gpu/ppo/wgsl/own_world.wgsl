// A world of the user's own. `world_rules` is generated from its text: the types and functions that the crate
// `world-rules` writes, and constants of the lab (own/shader.rs). A kernel that includes this has the
// bindings `unit`, `parameters` and `states`.

#include world_rules
#include bounds

// The steps of a world whose episode began with a fault: its first step fails.
const BROKEN = 0xffffffffu;

// Numbers are clamped to this before they are squared, so that the sum of many squares stays finite.
const LARGEST_SUMMED = 1e15;

fn world_parameters() -> Parameters {
  var p = Parameters();
  #for i PARAMETERS
  p[$i] = parameters[$i];
  #end
  return p;
}

// Of each world `states` has the state, then what the agent sees of it: an observation that a dispatch computes
// again may be rounded in another way. [worlds][STATE + INPUTS]
const WORLD_FLOATS = STATE + INPUTS;

fn load_state(world: u32) -> State {
  var state = State();
  #for i STATE
  state[$i] = states[world * WORLD_FLOATS + $iu];
  #end
  return state;
}

fn load_seen(world: u32) -> Observation {
  var seen = Observation();
  #for i INPUTS
  seen[$i] = states[world * WORLD_FLOATS + STATE + $iu];
  #end
  return seen;
}

fn store_world(world: u32, state: State, seen: Observation) {
  #for i STATE
  states[world * WORLD_FLOATS + $iu] = state[$i];
  #end
  #for i INPUTS
  states[world * WORLD_FLOATS + STATE + $iu] = seen[$i];
  #end
}

// The action in the units of the text, within its bounds, from the policy's numbers, see
// `OwnWorld::scaled_action`.
fn world_action(numbers: vec4f) -> Action {
  var action = Action();
  #if NUMBERS
  let scaled = bounded(numbers);
  #for i NUMBERS
  let x_$i = ACTION_CENTRE[$i] + ACTION_HALF[$i] * scaled[$i];
  action[$i] = rules_clamp(x_$i, ACTION_LOW[$i], ACTION_HIGH[$i]);
  #end
  #else
  action[0] = numbers.x;
  #end
  return action;
}

fn normalised(x: f32, i: u32) -> f32 {
  return clamp((x - unit.shift[i]) * unit.scale[i], -unit.limit, unit.limit);
}
