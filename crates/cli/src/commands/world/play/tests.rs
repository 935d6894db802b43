//! Worlds played without a terminal: keys and time go in, the screen is drawn into memory.

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use learnery_world_rules::World;

use super::controls::Controls;
use super::*;

/// A cart that the keys push, and that stands still without them.
const CART: &str = "\
world \"Cart\"
state x = 0
action push: left, none, right
step 0.1 seconds
x' = x + (if push == right then 1 else if push == left then -1 else 0)
reward 1
fail when abs(x) > 3
limit 20 steps
observe x
camera at (0, 0) height 8
draw rectangle at (x, 0) size (2, 1) color accent
draw text \"Place\" at (0, 3) value x size 0.5
";

/// A walk on a line whose steps take long.
const WALK: &str = "\
world \"Walk\"
state x = 0
action go: left, right
step 0.5 seconds
x' = x + (if go == right then 1 else -1)
reward x'
succeed when x > 1
observe x
camera at (0, 0) height 8
draw circle at (x, 0) radius 1 color good
draw trail at (x, 0) length 5 color muted
";

fn screen(game: &Game, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, game)).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect::<Vec<_>>().join("\n").replace('\u{a0}', " ")
}

fn world(text: &str) -> World {
    World::compile(text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn world_goes_on_with_time_and_a_key_lasts_half_a_second() {
    let world = world(CART);
    let mut game = Game::new(&world, &[], 0, 1.0);
    assert!(!game.advance(0.0));
    assert!(game.advance(0.1001));
    assert_eq!((game.steps(), game.score()), (1, 1.0));
    assert!(game.press(KeyCode::Right, 0.15));
    assert!(!game.press(KeyCode::Char('x'), 0.15));
    for step in 2..=9 {
        game.advance(0.1001 * f64::from(step));
    }
    // The key lasts until 0.65 s, and the cart leaves the track in the fourth step after it.
    assert_eq!((game.outcome(), game.steps()), (Outcome::Failed, 5));
    assert_eq!(game.scores(), [5.0]);
    assert_eq!(game.seconds_to_wait(1.0), None);

    // The action is the index of the choice: left, none, right.
    let mut controls = Controls::new(&world.spec().actions, 0.1);
    assert!(controls.press(KeyCode::Left, 1.0));
    assert_eq!(controls.action(1.4), [0.0]);
    assert_eq!(controls.action(1.5), [1.0]);
}

#[test]
fn time_that_was_lost_is_not_made_up_for() {
    let world = world(CART);
    let mut game = Game::new(&world, &[], 0, 1.0);
    game.advance(0.0);
    game.advance(1.5);
    assert_eq!(game.steps(), 4);
    assert!(!game.advance(1.55));
    game.press(KeyCode::Char('p'), 1.6);
    assert!(!game.advance(9.0) && game.is_paused());
    game.press(KeyCode::Char('p'), 9.0);
    assert!(!game.advance(9.05));
    game.advance(9.2);
    assert_eq!(game.steps(), 5);
}

#[test]
fn slow_world_without_rest_waits_for_keys() {
    let world = world(WALK);
    let mut game = Game::new(&world, &[], 0, 1.0);
    assert!(!game.advance(100.0));
    for _ in 0..2 {
        game.press(KeyCode::Char('2'), 100.0);
        assert!(game.advance(100.0) && !game.advance(100.0));
    }
    assert_eq!((game.outcome(), game.score()), (Outcome::Succeeded, 3.0));
    // Keys that play do nothing until the next episode has begun, and the end stays for a moment.
    assert!(!game.press(KeyCode::Left, 101.0) && !game.press(KeyCode::Char(' '), 100.3));
    assert!(game.press(KeyCode::Char(' '), 101.0));
    assert_eq!((game.outcome(), game.steps(), game.score()), (Outcome::Running, 0, 0.0));
    assert_eq!(summary(game.scores()), "One episode: a score of 3.000.");
    assert_eq!(summary(&[]), "No episode was played to its end.");
    assert_eq!(summary(&[1.0, 3.0]), "2 episodes: best score 3.000, mean 2.000.");
}

#[test]
fn screen_has_picture_score_and_keys() {
    let world = world(CART);
    let mut game = Game::new(&world, &[], 0, 1.0);
    let picture = screen(&game, 36, 14);
    assert!(picture.contains("Place 0") && picture.contains("⣶⣶⣶⣶"), "{picture}");
    assert_eq!(picture.lines().next(), Some("Cart   score 0.0   step 0"));
    for step in 0..10 {
        let now = 0.1001 * f64::from(step);
        game.press(KeyCode::Left, now);
        game.advance(now);
    }
    let picture = screen(&game, 80, 20);
    assert!(picture.contains("Failed after 4 steps. Space begins again."), "{picture}");
    assert!(
        picture.contains("← or 1 left   2 none   → or 3 right   p pause   r again   q leave"),
        "{picture}"
    );
    // The smallest screens.
    for (width, height) in [(1, 1), (3, 4), (200, 2)] {
        screen(&game, width, height);
    }
}
