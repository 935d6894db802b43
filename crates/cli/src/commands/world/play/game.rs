//! Episodes that are played in real time, without a screen: keys and the time go in, steps come out.

use std::collections::BTreeMap;

use learnery_world_rules::{Camera, Episode, Form, Frame, Outcome, World};
use ratatui::crossterm::event::KeyCode;

use super::controls::Controls;
use crate::commands::world::beginning;

/// The most late steps that are made in one call.
const MAX_STEPS_AT_ONCE: u32 = 4;

/// Seconds for which the end of an episode stays, whatever is pressed: keys that played are still held.
const END_SECONDS: f64 = 0.7;

/// Something that is played, one episode after another.
pub struct Game<'a> {
    world: &'a World,
    parameters: &'a [f32],
    seed: u32,
    controls: Controls,
    episode: Episode<'a>,
    /// The index of the episode.
    index: u32,
    score: f64,
    /// The scores of the episodes that ended.
    scores: Vec<f64>,
    is_paused: bool,
    /// Whether a key was pressed since the last step.
    is_pressed: bool,
    /// When the next step is due, in seconds; `None` while nothing moves.
    due: Option<f64>,
    /// Seconds of the clock for a step.
    seconds_per_step: f64,
    /// When the episode ended.
    ended_at: f64,
    frame: Frame,
    /// The places of each trail in the last steps, with the number of the step.
    trails: BTreeMap<usize, Vec<(u32, [f32; 2])>>,
}

impl<'a> Game<'a> {
    pub fn new(world: &'a World, parameters: &'a [f32], seed: u32, speed: f64) -> Self {
        let seconds_per_step = f64::from(world.spec().seconds_per_step) / speed;
        let episode = Episode::begin(world, parameters, beginning(seed, 0));
        let mut game = Self {
            world,
            parameters,
            seed,
            controls: Self::controls_of(world),
            frame: Frame { camera: Camera { at: [0.0; 2], height: 1.0 }, shapes: Vec::new() },
            episode,
            index: 0,
            score: 0.0,
            scores: Vec::new(),
            is_paused: false,
            is_pressed: false,
            due: None,
            seconds_per_step,
            ended_at: 0.0,
            trails: BTreeMap::new(),
        };
        game.look();
        game
    }

    /// Whether a world waits for keys depends on its own time, not on the speed of the game.
    fn controls_of(world: &World) -> Controls {
        Controls::new(&world.spec().actions, f64::from(world.spec().seconds_per_step))
    }

    /// Takes a key that plays, pauses or begins again. Returns whether something has changed.
    pub fn press(&mut self, key: KeyCode, now: f64) -> bool {
        match key {
            KeyCode::Char('p') if !self.has_ended() => {
                self.is_paused = !self.is_paused;
                self.due = None;
                true
            }
            KeyCode::Char('r') => self.begin_next(),
            KeyCode::Char(' ') | KeyCode::Enter if self.has_ended() => {
                now >= self.ended_at + END_SECONDS && self.begin_next()
            }
            key => {
                let plays = !self.has_ended() && !self.is_paused && self.controls.press(key, now);
                self.is_pressed |= plays;
                plays
            }
        }
    }

    fn begin_next(&mut self) -> bool {
        self.index += 1;
        self.episode = Episode::begin(self.world, self.parameters, beginning(self.seed, self.index));
        self.controls = Self::controls_of(self.world);
        (self.score, self.is_paused, self.is_pressed, self.due) = (0.0, false, false, None);
        self.trails.clear();
        self.look();
        true
    }

    /// Makes the steps that are due. Returns whether there were any.
    pub fn advance(&mut self, now: f64) -> bool {
        self.start_clock(now);
        let mut steps = 0;
        while self.is_due(now) && steps < MAX_STEPS_AT_ONCE {
            self.step(now);
            steps += 1;
        }
        // What was not made up for is forgotten.
        if self.is_due(now) && steps > 0 {
            self.due = Some(now + self.seconds_per_step);
        }
        steps > 0
    }

    /// Whether the world moves by itself now.
    fn is_moving(&self) -> bool {
        !self.is_paused && !self.has_ended() && !self.controls.waits_for_keys()
    }

    /// Says when the first step is due, once the world moves.
    fn start_clock(&mut self, now: f64) {
        if self.is_moving() {
            self.due.get_or_insert(now + self.seconds_per_step);
        }
    }

    fn is_due(&self, now: f64) -> bool {
        if self.controls.waits_for_keys() {
            return self.is_pressed && !self.is_paused && !self.has_ended();
        }
        self.is_moving() && self.due.is_some_and(|due| due <= now)
    }

    fn step(&mut self, now: f64) {
        let action = self.controls.action(now).to_vec();
        self.score += f64::from(self.episode.step(action).reward);
        self.due = self.due.map(|due| due + self.seconds_per_step);
        self.is_pressed = false;
        if self.has_ended() {
            self.scores.push(self.score);
            self.due = None;
            self.ended_at = now;
        }
        self.look();
    }

    /// Makes the picture of the state.
    fn look(&mut self) {
        let step = self.episode.last();
        // Before the first step there is no action.
        let action = if step.action.is_empty() {
            vec![0.0; self.world.spec().actions.count()]
        } else {
            step.action.clone()
        };
        self.frame = self.world.picture(self.parameters, &step.state, &action);
        for shape in &self.frame.shapes {
            if let Form::Trail { at, length, trail } = &shape.form {
                let (places, now) = (self.trails.entry(*trail).or_default(), step.number);
                places.push((now, *at));
                places.retain(|(number, _)| now - number < *length as u32);
            }
        }
    }

    /// Seconds until something happens by itself; `None` if nothing does.
    pub fn seconds_to_wait(&self, now: f64) -> Option<f64> {
        if self.is_due(now) {
            return Some(0.0);
        }
        self.due.map(|due| (due - now).max(0.0))
    }

    /// The title of the world.
    pub fn title(&self) -> &str {
        &self.world.spec().title
    }

    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The last places of a trail, the oldest first.
    pub fn trail(&self, trail: usize) -> impl Iterator<Item = [f32; 2]> + '_ {
        self.trails.get(&trail).into_iter().flatten().map(|(_, place)| *place)
    }

    pub fn controls(&self) -> &Controls {
        &self.controls
    }

    pub fn steps(&self) -> u32 {
        self.episode.last().number
    }

    /// Whether and how the episode has ended.
    pub fn outcome(&self) -> Outcome {
        self.episode.last().outcome
    }

    fn has_ended(&self) -> bool {
        !self.episode.is_running()
    }

    /// What went wrong, if a fault ended the episode.
    pub fn fault(&self) -> Option<String> {
        self.episode.last().fault.as_ref().map(ToString::to_string)
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The sum of the rewards of this episode.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The scores of the episodes that ended.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }
}
