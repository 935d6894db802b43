// The numbers of one update, written before each. `Update::write` in src/update.rs writes them in this order.
struct Update {
  // The derivative of the mean loss with respect to each row's loss, 1 / the number of targets, times the
  // loss scale.
  gradient_scale: f32,
  // The first rows of the pass, whose losses are not counted in the metrics.
  uncounted: u32,
  // The place of the update's loss and norm in the metrics.
  slot: u32,
  // The learning rate of Adam.
  learning_rate: f32,
  // The learning rate of Muon.
  muon_rate: f32,
  // The gradient is scaled down to this norm.
  max_norm: f32,
  beta_1: f32,
  beta_2: f32,
  epsilon: f32,
  momentum: f32,
  // The weight decay of Muon's matrices.
  muon_decay: f32,
  // 1 / the loss scale: the gradient is multiplied by it. A power of two, 1 with products in f32.
  unscale: f32,
}
