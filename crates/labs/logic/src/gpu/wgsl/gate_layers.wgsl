// The wiring of a cell's circuits. The buffer begins with a table of all layers, those of perception first.
struct Layer {
  gates: u32,
  // Rows that the layer reads.
  inputs: u32,
  // The number of the layer's first gate; gates are numbered through all layers.
  first: u32,
  // Where the two rows that each gate reads begin.
  wires: u32,
  // Where the places of the rows' consumers (the gates that read a row) are listed: for each row where its
  // consumers begin, and at the end where those of the last row end.
  consumers: u32,
  // The rows of the layer's inputs and outputs among all values of its circuit.
  input_row: u32,
  output_row: u32,
}

const LAYER_WORDS = 7u;

fn layer_at(number: u32) -> Layer {
  let at = number * LAYER_WORDS;
  return Layer(
    wiring[at], wiring[at + 1u], wiring[at + 2u], wiring[at + 3u], wiring[at + 4u], wiring[at + 5u], wiring[at + 6u]
  );
}
