//! Proximal policy optimisation on classic control worlds: thousands of them at once.

pub mod about;
mod config;
mod view;

pub use config::ControlConfig;
pub use view::{ControlCommand, ControlView, Phase, Plane, Stage};
