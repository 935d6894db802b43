//! `learnery world play`: a world on the terminal's screen, played by its keys.

mod controls;
mod game;
mod picture;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::Result;
use learnery_world_rules::Outcome;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Wrap};

use super::{compile, parameters, read};
use crate::args::WorldPlayArgs;
use crate::failure::usage;
use crate::run::stop::StopSignal;
use crate::terminal::screen::{Screen, events};
use crate::terminal::{numbers, stdout};
use game::Game;

/// The shortest time between two pictures.
const MIN_FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// How long to wait for a key before looking whether the program was told to stop.
const KEY_WAIT: Duration = Duration::from_millis(100);
/// The rows for the keys.
const HELP_ROWS: u16 = 2;

pub fn play(args: &WorldPlayArgs) -> Result<()> {
    let world = compile(&read(&args.file)?)?;
    let parameters = parameters(&world, &args.set)?;
    if world.spec().shapes == 0 {
        return Err(usage("this world draws nothing; `learnery world trace` prints its steps"));
    }
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(usage("a world is played on a terminal; `learnery world trace` prints its steps"));
    }
    let mut game = Game::new(&world, &parameters, args.seed, args.speed);
    show(&mut game)?;
    stdout::write(&(summary(game.scores()) + "\n"))
}

/// Lets the visitor play until they leave, the program is told to stop, or the terminal is gone.
fn show(game: &mut Game) -> Result<()> {
    let stop = StopSignal::listen()?;
    let mut screen = Screen::open()?;
    let (events, begin) = (events(), Instant::now());
    let (mut last_drawn, mut is_stale) = (None::<Instant>, true);
    while !stop.requested() {
        is_stale |= game.advance(begin.elapsed().as_secs_f64());
        if is_stale && last_drawn.is_none_or(|drawn| drawn.elapsed() >= MIN_FRAME_INTERVAL) {
            // If the screen cannot be drawn, the terminal is gone.
            if screen.terminal.draw(|frame| draw(frame, game)).is_err() {
                break;
            }
            (last_drawn, is_stale) = (Some(Instant::now()), false);
        }
        let wait =
            game.seconds_to_wait(begin.elapsed().as_secs_f64()).map_or(KEY_WAIT, Duration::from_secs_f64);
        let wait = wait.min(if is_stale { MIN_FRAME_INTERVAL } else { KEY_WAIT });
        match events.recv_timeout(wait) {
            Ok(Ok(Event::Key(key))) if key.kind != KeyEventKind::Release => {
                if leaves(key) {
                    break;
                }
                is_stale |= game.press(key.code, begin.elapsed().as_secs_f64());
            }
            Ok(Ok(Event::Resize(..))) => (last_drawn, is_stale) = (None, true),
            // No key, or an event that is not handled, such as one of the mouse.
            Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => {}
            // The terminal is gone.
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // Otherwise a stop would end the process while the terminal is given back.
    stop.begin_saving();
    Ok(())
}

fn leaves(key: KeyEvent) -> bool {
    let is_interrupt = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    is_interrupt || matches!(key.code, KeyCode::Char('q') | KeyCode::Esc)
}

/// Draws everything: the title and the score, the world, how the episode ended, and the keys.
fn draw(frame: &mut Frame, game: &Game) {
    let [top, picture, ending, help] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(HELP_ROWS),
    ])
    .areas(frame.area());
    let best =
        best(game.scores()).map_or_else(String::new, |best| format!("   best {}", numbers::value(best)));
    let score = format!("   score {}   step {}{best}", numbers::value(game.score()), game.steps());
    frame.render_widget(Line::from(vec![game.title().to_owned().bold(), score.into()]), top);
    picture::draw(frame, picture, game);
    frame.render_widget(Line::from(state_text(game)).style(Modifier::BOLD), ending);
    let own = ["p pause", "r again", "q leave"].map(str::to_owned);
    let keys: Vec<String> = game.controls().help().into_iter().chain(own).collect();
    // A key and its words stay in one line.
    let keys = keys.iter().map(|key| key.replace(' ', "\u{a0}")).collect::<Vec<_>>().join("   ");
    let quiet = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Paragraph::new(keys).wrap(Wrap { trim: true }).style(quiet), help);
}

/// How the episode ended, or why it stands still.
fn state_text(game: &Game) -> String {
    let what = match game.outcome() {
        Outcome::Running => {
            return match (game.is_paused(), game.controls().waits_for_keys()) {
                (true, _) => "Paused: p goes on.".into(),
                (false, true) => "A key makes a step.".into(),
                (false, false) => String::new(),
            };
        }
        Outcome::Failed => "Failed",
        Outcome::Succeeded => "Done",
        Outcome::Truncated => "Time is over",
    };
    let fault = game.fault().map_or_else(String::new, |fault| format!(" ({fault})"));
    let steps = numbers::count_of(u64::from(game.steps()), "step");
    format!("{what} after {steps}{fault}. Space begins again.")
}

fn best(scores: &[f64]) -> Option<f64> {
    scores.iter().copied().max_by(f64::total_cmp)
}

/// What was played, in a sentence.
fn summary(scores: &[f64]) -> String {
    let Some(best) = best(scores) else { return "No episode was played to its end.".into() };
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    match scores.len() {
        1 => format!("One episode: a score of {}.", numbers::value(best)),
        n => format!(
            "{}: best score {}, mean {}.",
            numbers::count_of(n as u64, "episode"),
            numbers::value(best),
            numbers::value(mean)
        ),
    }
}
