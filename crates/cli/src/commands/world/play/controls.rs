//! Which keys stand for which action, as in `www/labs/control/own-world/controls.ts`: choices that are
//! directions have the arrow keys, the first nine choices have digits, and continuous actions have a pair of
//! keys each.

use learnery_world_rules::Actions;
use ratatui::crossterm::event::KeyCode;

/// Seconds for which an action lasts after its key. A terminal does not say when a key is released, and
/// repeats a key only after half a second.
const HOLD_SECONDS: f64 = 0.5;

/// If every choice does something, and steps take at least this many seconds, the world steps only when a key
/// is pressed (as in `waitsForPresses` of `www/labs/control/own-world/controls.ts`).
const SLOW_STEP: f64 = 0.15;

/// Names of choices that do nothing.
const IDLE_NAMES: &[&str] = &[
    "none", "nothing", "no", "off", "rest", "stay", "wait", "idle", "coast", "glide", "keep", "hold",
    "still", "stop",
];

/// The keys for the lowest and the highest value of each continuous action, of which a world has at most
/// four.
const AXES: [[KeyCode; 2]; 4] = [
    [KeyCode::Left, KeyCode::Right],
    [KeyCode::Down, KeyCode::Up],
    [KeyCode::Char('a'), KeyCode::Char('d')],
    [KeyCode::Char('s'), KeyCode::Char('w')],
];

/// Keys that set a component of the action to a value.
struct Control {
    keys: Vec<KeyCode>,
    /// The index of the component; 0 for a choice.
    component: usize,
    value: f32,
    label: String,
}

/// Which keys play a world, and the action while they are held.
pub struct Controls {
    controls: Vec<Control>,
    /// What each component is when no key is held; `None` if the last value stays.
    rest: Vec<Option<f32>>,
    action: Vec<f32>,
    /// Until when each component is held, in seconds.
    held_until: Vec<f64>,
    waits_for_keys: bool,
}

impl Controls {
    pub fn new(actions: &Actions, seconds_per_step: f64) -> Self {
        let (controls, rest) = match actions {
            Actions::Choice { choices, .. } => choice_controls(choices),
            Actions::Continuous(ranges) => {
                let axes = ranges.iter().zip(AXES).enumerate();
                let controls = axes.flat_map(|(component, (range, keys))| {
                    [(keys[0], range.low), (keys[1], range.high)].map(|(key, value)| Control {
                        keys: vec![key],
                        component,
                        value,
                        label: format!("{} {value}", range.name),
                    })
                });
                let rest = ranges.iter().map(|range| Some(0f32.clamp(range.low, range.high)));
                (controls.collect(), rest.collect())
            }
        };
        let waits_for_keys = rest.contains(&None) && seconds_per_step >= SLOW_STEP;
        let action: Vec<f32> = rest.iter().map(|rest: &Option<f32>| rest.unwrap_or(0.0)).collect();
        Self { controls, rest, held_until: vec![0.0; action.len()], action, waits_for_keys }
    }

    /// Whether the world steps only when a key is pressed.
    pub fn waits_for_keys(&self) -> bool {
        self.waits_for_keys
    }

    /// Takes a key. Returns whether it plays.
    pub fn press(&mut self, key: KeyCode, now: f64) -> bool {
        let Some(control) = self.controls.iter().find(|control| control.keys.contains(&key)) else {
            return false;
        };
        self.action[control.component] = control.value;
        self.held_until[control.component] = now + HOLD_SECONDS;
        true
    }

    /// Releases keys whose time is over, and returns the action.
    pub fn action(&mut self, now: f64) -> &[f32] {
        for ((value, rest), held_until) in self.action.iter_mut().zip(&self.rest).zip(&self.held_until) {
            if let Some(rest) = rest
                && now >= *held_until
            {
                *value = *rest;
            }
        }
        &self.action
    }

    /// Which keys play, in words.
    pub fn help(&self) -> Vec<String> {
        let words = |control: &Control| {
            let keys: Vec<String> = control.keys.iter().map(|key| name_of(*key)).collect();
            format!("{} {}", keys.join(" or "), control.label)
        };
        self.controls.iter().filter(|control| !control.keys.is_empty()).map(words).collect()
    }
}

/// The controls of a choice, and the choice when no key is held.
fn choice_controls(choices: &[String]) -> (Vec<Control>, Vec<Option<f32>>) {
    let rest = choices.iter().position(|name| IDLE_NAMES.contains(&name.to_lowercase().as_str()));
    let mut taken = Vec::new();
    let mut controls = Vec::new();
    for (i, name) in choices.iter().enumerate() {
        let mut keys = Vec::new();
        // The first choice of a direction has its arrow.
        if let Some(arrow) = arrow_of(name).filter(|arrow| !taken.contains(arrow)) {
            taken.push(arrow);
            keys.push(arrow);
        }
        // The only choice beside doing nothing, such as to flap.
        if choices.len() == 2 && rest.is_some_and(|rest| rest != i) {
            keys.push(KeyCode::Char(' '));
            if !keys.contains(&KeyCode::Up) {
                keys.push(KeyCode::Up);
            }
        }
        keys.extend(char::from_digit(i as u32 + 1, 10).map(KeyCode::Char));
        controls.push(Control { keys, component: 0, value: i as f32, label: name.clone() });
    }
    (controls, vec![rest.map(|i| i as f32)])
}

/// The arrow key of the direction that a name means, also as a part of it: `push_left`.
fn arrow_of(name: &str) -> Option<KeyCode> {
    let name = name.to_lowercase();
    let mut parts = name.split(|c: char| c == '_' || c.is_ascii_digit());
    parts.find_map(|part| match part {
        "left" | "west" => Some(KeyCode::Left),
        "right" | "east" => Some(KeyCode::Right),
        "up" | "north" => Some(KeyCode::Up),
        "down" | "south" => Some(KeyCode::Down),
        _ => None,
    })
}

fn name_of(key: KeyCode) -> String {
    match key {
        KeyCode::Left => "←".into(),
        KeyCode::Right => "→".into(),
        KeyCode::Up => "↑".into(),
        KeyCode::Down => "↓".into(),
        KeyCode::Char(' ') => "Space".into(),
        KeyCode::Char(c) => c.to_string(),
        _ => String::new(),
    }
}
