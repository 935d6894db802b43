// A row of the batch in text generation: one token that is fed. `Row` in transformer/generator/mod.rs has the
// same fields.
struct Row {
  // The number of its text in the batch.
  sequence: u32,
  // Its position in the network's context; at least the context's length for a row that only fills a batch
  // up.
  position: u32,
  // Its index in the text. It runs ahead of the position once the text is longer than the context, whose
  // beginning is dropped then.
  index: u32,
  // For the last token of a text: the slot of the results, with one entry for each text, into which the token
  // that is sampled after this row goes.
  slot: u32,
}
