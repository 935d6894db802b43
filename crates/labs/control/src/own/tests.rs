//! Texts as data of a run: checks, batches beside the reference, pictures.

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Moment, World as Rules};
use learnery_worlds::control::AnyWorlds;

use super::picture::Picture;
use super::*;

const POINT: &str = "world \"Point\"\nparam drag = 0.1 from 0 to 1\nstate x = uniform(-1, 1)\nstate v = 0\n\
                     action push from -2 to 4\naction lift from 0 to 1\n\
                     v' = v * (1 - drag) + 0.1 * push\nx' = x + 0.1 * v' + 0.01 * lift\n\
                     reward -x'^2\nfail when x > 1.5\nlimit 20 steps\nobserve x, v\ncamera at (1, 0.5) height 4\n\
                     draw circle at (x, 0) radius 0.1 color accent\n\
                     draw text \"speed\" at (0, 1) size 0.2 value v\n";

fn point(parameters: &[(&str, f32)]) -> Result<Arc<OwnWorld>, String> {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    OwnWorld::new("point.world", POINT, &parameters)
}

#[test]
fn first_world_is_good() {
    assert!(OwnWorld::first().is_first() && OwnWorld::first().spec().solved.is_some());
}

#[test]
fn bad_texts_and_parameters_are_refused_in_one_sentence() {
    let refusal = |text: &str| OwnWorld::new("w", text, &Parameters::new()).expect_err("a bad text");
    assert!(refusal("").contains("line 1, column 1"));
    let sentence = refusal(&POINT.replace("0.1 * push", "0.1 * pusch"));
    assert!(
        sentence.starts_with("line 7, column 29: ") && sentence.contains("did you mean `push`"),
        "{sentence}"
    );
    let two = refusal(&POINT.replace("x^2", "y^2").replace("drag)", "darg)").replace("x'^2", "q'^2"));
    assert!(two.contains("another error") && !two.contains('\n'), "{two}");
    assert!(point(&[("drag", 2.0)]).expect_err("too large").contains("`drag` is 2; expected 0 to 1"));
    assert!(point(&[("drag", f32::NAN)]).is_err());
    assert!(point(&[("drga", 0.5)]).expect_err("unknown").contains("no parameter `drga`"));
}

#[test]
fn text_and_parameters_survive_saving() {
    let own = point(&[("drag", 0.3)]).expect("good");
    let read = OwnWorld::from_tensors(&own.to_tensors()).expect("its own tensors");
    assert_eq!((read.name(), read.text(), read.values()), ("point.world", POINT, &[0.3][..]));
    assert_eq!(read.command(), own.command());
    assert_eq!(own.command()["parameters"]["drag"], 0.3);
    assert!(!own.is_first());
    let mut tensors = own.to_tensors();
    tensors.insert("text", &[3], b"abc");
    assert!(OwnWorld::from_tensors(&tensors).expect_err("no world").to_string().contains("line 1"));
}

/// The policy's -1 and 1 are the bounds of every number. The worlds of a batch are those of the slow
/// reference.
#[test]
fn batch_steps_as_the_reference_with_scaled_actions() {
    let own = point(&[("drag", 0.3)]).expect("good");
    let stream = Stream::new(5, 5);
    let mut batch = OwnWorlds::new(own.clone(), 10..13, stream);
    let mut observations = vec![0.0; 6];
    let mut states: Vec<Vec<f32>> = Vec::new();
    let mut steps = [0; 3];
    for world in 10..13 {
        states.push(own.rules().begin(own.values(), Moment { stream, world, episode: 0, step: 0 }).state);
    }
    for t in 0..15 {
        batch.observe(&mut observations);
        let mut actions = vec![0.0; 6];
        stream.fill_normal(t, &mut actions);
        batch.step(&actions);
        for i in 0..3 {
            let world = 10 + i as u64;
            // The bounds are -2 and 4, and 0 and 1.
            let scaled = [1.0 + 3.0 * actions[2 * i], 0.5 + 0.5 * actions[2 * i + 1]];
            let episode = batch.episodes(i) - u32::from(batch.ended().contains(&(i as u32)));
            steps[i] += 1;
            let moment = Moment { stream, world, episode, step: steps[i] };
            let seen = &observations[2 * i..2 * i + 2];
            let stepped = own.rules().step(own.values(), &states[i], seen, &scaled, moment);
            assert_eq!(batch.rewards()[i], stepped.reward);
            if batch.ended().contains(&(i as u32)) {
                steps[i] = 0;
                let moment = Moment { stream, world, episode: batch.episodes(i), step: 0 };
                states[i] = own.rules().begin(own.values(), moment).state;
            } else {
                states[i] = stepped.state;
            }
            let mut state = [0.0; 2];
            batch.state(i, &mut state);
            assert_eq!(states[i], state);
        }
    }
}

#[test]
fn picture_lists_camera_forms_roles_widths_and_numbers() {
    let rules = Rules::compile(POINT).expect("good");
    let mut picture = Picture::default();
    picture.add(&rules.picture(&[0.1], &[0.25, 0.5], &[0.0, 0.0]));
    picture.add(&rules.picture(&[0.1], &[0.75, 0.5], &[0.0, 0.0]));
    assert_eq!(picture.texts, ["speed"]);
    let one = |x: f32| {
        // Camera, a circle (form 1) with the role 3, then a text (form 5) with the role 0, which shows 0.5
        // behind text number 0. Neither shape has a width.
        let circle = [1.0, 3.0, f32::NAN, 3.0, x, 0.0, 0.1];
        let text = [5.0, 0.0, f32::NAN, 5.0, 0.0, 1.0, 0.2, 0.5, 0.0];
        [[1.0, 0.5, 4.0].as_slice(), &circle, &text].concat()
    };
    let expected = [one(0.25), one(0.75)].concat();
    assert_eq!(format!("{:?}", picture.numbers), format!("{expected:?}"));
}
