// What the loss kernels have to know of a part of a minibatch. `Part::write` in resnet/trainer.rs writes the
// same fields.
struct Minibatch {
  // Rows (positions) of this part; those after them are ignored.
  rows: u32,
  // The index of the update in the array of all updates' losses.
  slot: u32,
  // The weights of a row's value loss and of its policy loss.
  value_scale: f32,
  policy_scale: f32,
}
