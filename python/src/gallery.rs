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
    /// The world's index among all of its random streams, and the number of its episode: they name an episode.
    episode: (u64, u32),
    /// The step of the last picture; none before the first one.
    step: Option<u32>,
    trails: Trails,
}

impl Gallery {
    /// Paints world `i`, which has this state, after this action.
    /// Shape: `[height, width, 3]`.
    pub fn paint(
        &mut self,
        i: usize,
        world: &World,
        constants: &[f32],
        now: &SavedWorld,
        action: &[f32],
        [width, height]: [usize; 2],
    ) -> Vec<u8> {
        // A world that waits for its next episode has counted it already, but has still the last state of the
        // one before. That state comes after all other steps of that episode.
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
