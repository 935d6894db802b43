// Reads the table of target values. A kernel that includes this file binds it as `values`.

// The least value among the neighbours of a node.
fn least_of_neighbours(node: u32) -> f32 {
  let state = state_of(node);
  var least = values[node_of(after_turn(state, 0u))];
  for (var turn = 1u; turn < TURNS; turn++) {
    least = min(least, values[node_of(after_turn(state, turn))]);
  }
  return least;
}
