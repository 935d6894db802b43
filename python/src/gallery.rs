//! Pictures of the worlds of a batch, with the trails that earlier pictures have left.

use std::collections::HashMap;

use learnery_world_rules::World;
use learnery_worlds::control::SavedWorld;

use crate::picture::{Trails, paint};

/// What is remembered of each world that was painted.
#[derive(Default)]
pub struct Gallery {
    worlds: HashMap<usize, Painted>,
}

#[derive(Default)]
struct Painted {
    /// The world's index in the stream of random numbers (its seed), and the number of its episode. Together
    /// they identify an episode.
    episode: (u64, u32),
    /// The step of the last picture; none before the first one.
    step: Option<u32>,
    trails: Trails,
}

impl Gallery {
    /// Paints world `i` in the state `now`. `action` is the one that led there, which a text may draw too.
    /// Shape: `[height, width, 3]`, red, green and blue.
    pub fn paint(
        &mut self,
        i: usize,
        world: &World,
        constants: &[f32],
        now: &SavedWorld,
        action: &[f32],
        [width, height]: [usize; 2],
    ) -> Vec<u8> {
        // A world that waits for its next episode has counted that episode already, but still has the last
        // state of the one before. As a step of the episode before, that state comes after all others.
        let (episode, step) =
            if now.waits { (now.episode.wrapping_sub(1), u32::MAX) } else { (now.episode, now.steps) };
        // There is no action before the first step.
        let frame = world.picture(constants, &now.state, if step == 0 { &[] } else { action });
        let painted = self.worlds.entry(i).or_default();
        // A new episode, and a world that was set back to an earlier step, begin without trails.
        if painted.episode != (now.index, episode) || painted.step.is_some_and(|last| step < last) {
            *painted = Painted { episode: (now.index, episode), ..Painted::default() };
        }
        if painted.step != Some(step) {
            painted.trails.extend(&frame);
            painted.step = Some(step);
        }
        paint(&frame, &painted.trails, width, height)
    }
}
