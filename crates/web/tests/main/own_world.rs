//! The editor for worlds: what the page is told about a text, and the world that it plays.

use learnery_web::own_world::{EpisodeState, OwnWorld, WorldActions};

/// A ball that falls, and that the action moves aside.
const BALL: &str = r#"world "Ball"
about "It falls."
param gravity = 10 from 1 to 20
state x = 0
state y = 5
state speed = 0
action push from -1 to 1
step 0.1 seconds
speed' = speed - dt * gravity
y' = y + dt * speed'
x' = x + push
reward 1
fail when y < 0
limit 50 steps
camera at (0, 2) height 6
draw circle at (x, y) radius 0.5 color accent
draw text "Height" at (1, 2) value y
draw line from (-1, 0) to (1, 0) color muted width 0.1
"#;

#[test]
fn errors_have_their_place_and_the_last_world_stays() {
    let mut own = OwnWorld::default();
    assert!(own.episode().is_none());
    assert!(own.picture().numbers.is_empty());
    assert!(own.check(BALL).world.is_some());
    let checked = own.check(&BALL.replace("dt * gravity", "dt * gravty"));
    assert!(checked.world.is_none());
    let problem = &checked.problems[0];
    assert_eq!((problem.line, problem.column, problem.length, problem.warning), (9, 23, 6, false));
    assert!(format!("{problem:?}").contains("gravity"), "{problem:?}");
    assert_eq!(own.episode().map(|episode| episode.state), Some(EpisodeState::Running));
}

#[test]
fn a_summary_says_what_the_text_says() {
    let world = OwnWorld::default().check(BALL).world.expect("a world");
    assert_eq!((world.title.as_str(), world.about.as_str()), ("Ball", "It falls."));
    assert_eq!(world.parameters.len(), 1);
    assert_eq!(world.state, ["x", "y", "speed"]);
    assert_eq!((world.limit, world.solved, world.shapes), (Some(50), None, 3));
    assert!(matches!(world.actions, WorldActions::Continuous { ranges } if ranges[0].name == "push"));
}

#[test]
fn a_picture_is_flat() {
    let mut own = OwnWorld::default();
    own.check(BALL);
    let picture = own.picture();
    let (camera, shapes) = picture.numbers.split_at(3);
    assert_eq!(camera, [0.0, 2.0, 6.0]);
    let (circle, rest) = shapes.split_at(7);
    assert_eq!((circle[0], circle[1], circle[3]), (1.0, 3.0, 3.0));
    assert!(circle[2].is_nan());
    assert_eq!(circle[4..], [0.0, 5.0, 0.5]);
    let (text, line) = rest.split_at(9);
    assert_eq!((text[0], text[4], text[5], text[7], text[8]), (5.0, 1.0, 2.0, 5.0, 0.0));
    assert_eq!(line, [0.0, 1.0, 0.1, 4.0, -1.0, 0.0, 1.0, 0.0]);
    assert_eq!(picture.texts, ["Height"]);
}

#[test]
fn an_edit_goes_on_from_the_same_state_with_the_same_parameters() {
    let mut own = OwnWorld::default();
    own.check(BALL);
    own.set_parameter(0, 2.0);
    own.step(&[0.5]);
    let before = own.picture();
    own.check(&BALL.replace("radius 0.5", "radius 0.7"));
    let after = own.picture();
    assert_eq!(before.numbers[7..9], after.numbers[7..9]);
    assert_eq!(after.numbers[9], 0.7);
    let episode = own.episode().expect("an episode");
    assert_eq!((episode.steps, episode.score, episode.parameters), (1, 1.0, vec![2.0]));
    // Another range is another parameter, and another state another episode.
    own.check(&BALL.replace("to 20", "to 30").replace("state x = 0", "state x = 0\nstate z = 0"));
    let episode = own.episode().expect("an episode");
    assert_eq!((episode.steps, episode.score, episode.parameters), (0, 0.0, vec![10.0]));
}

#[test]
fn episodes_end_and_the_next_one_begins() {
    let mut own = OwnWorld::default();
    own.check(BALL);
    while own.episode().is_some_and(|episode| episode.state == EpisodeState::Running) {
        own.step(&[0.0]);
    }
    let ended = own.episode().expect("an episode");
    assert_eq!(ended.state, EpisodeState::Failed);
    assert_eq!(ended.score, f64::from(ended.steps));
    own.step(&[0.0]);
    assert_eq!(own.episode(), Some(ended));
    own.next_episode();
    assert_eq!(own.episode().map(|episode| episode.steps), Some(0));
}

#[test]
fn a_fault_names_its_line() {
    let mut own = OwnWorld::default();
    own.check(&BALL.replace("x' = x + push", "x' = 1 / (x - x)"));
    own.step(&[0.0]);
    let episode = own.episode().expect("an episode");
    assert_eq!(episode.state, EpisodeState::Failed);
    let fault = episode.fault.expect("a fault");
    assert_eq!((fault.line, fault.what.as_str()), (11, "a division by zero"));
}

#[test]
fn odd_calls_change_nothing() {
    let mut own = OwnWorld::default();
    own.step(&[1.0]);
    own.set_parameter(0, 1.0);
    own.next_episode();
    own.reset(7);
    own.check(BALL);
    own.set_parameter(9, 1.0);
    own.set_parameter(0, f32::NAN);
    own.set_parameter(0, 1e9);
    assert_eq!(own.episode().map(|episode| episode.parameters), Some(vec![20.0]));
    own.step(&[]);
    own.step(&[f32::NAN, f32::INFINITY]);
    assert_eq!(own.episode().map(|episode| episode.state), Some(EpisodeState::Running));
}

#[test]
fn the_same_seed_repeats_an_episode() {
    let text = BALL.replace("state x = 0", "state x = uniform(-1, 1)");
    let play = |seed| {
        let mut own = OwnWorld::default();
        own.check(&text);
        own.reset(seed);
        own.step(&[0.25]);
        own.picture()
    };
    let bits = |seed| play(seed).numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(3), bits(3));
    assert_ne!(bits(3), bits(4));
}
