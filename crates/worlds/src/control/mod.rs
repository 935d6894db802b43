//! Classic control, exactly as Gymnasium defines it, in structures of arrays.

mod cartpole;

pub use cartpole::{CartPole, CartPoles, Outcome};
