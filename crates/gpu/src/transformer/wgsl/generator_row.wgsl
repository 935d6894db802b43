// A row of text generation: one token that is fed. `Row` in transformer/generator/mod.rs has the same fields.
struct Row {
  // The number of its text in the batch.
  sequence: u32,
  // Its position in the network's context; at least the context's length for a row that only fills a batch
  // up.
  position: u32,
  // Its index in the text.
  index: u32,
  // Where the next token of this text is written in the results.
  slot: u32,
}
