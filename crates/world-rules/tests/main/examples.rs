//! The worlds of the folders `examples` and `challenges` are complete, run without faults, and have the bits
//! of the reference.

use std::fs;
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Form, Worlds};

use crate::support::{compare_with_reference, compile, files, path, with_every_isa};

#[test]
fn examples_step_without_faults_under_random_actions() {
    for file in [files("examples", "world"), files("challenges", "world")].concat() {
        let name = file.display();
        let world = compile(&fs::read_to_string(&file).expect("an example can be read"));
        assert!(world.warnings().is_empty(), "{name}: {:?}", world.warnings());
        let spec = world.spec();
        // The score of a challenge whose reward is wrong says nothing, so nothing is solved by it.
        let is_solved = spec.solved.is_some() || file.ends_with("challenges/boat.world");
        assert!(!spec.about.is_empty() && is_solved && spec.shapes > 0, "{name}");
        let count = 100;
        let random = Stream::new(1, 2);
        let mut batch = Worlds::new(world.clone(), &world.parameters(), 0..count, Stream::new(1, 1));
        let (mut episodes, mut steps) = (0, 0);
        let mut state = vec![0.0; spec.state.len()];
        while episodes < 1000 {
            let actions: Vec<f32> =
                (0..count).flat_map(|i| world.spec().actions.random(&random, i, steps)).collect();
            batch.step(&actions);
            steps += 1;
            episodes += batch.ended().len();
            for k in 0..batch.ended().len() {
                assert_eq!(batch.fault(k), None, "{name}");
            }
            if steps % 50 == 1 {
                batch.state(0, &mut state);
                let frame = world.picture(&world.parameters(), &state, &actions[..spec.actions.count()]);
                assert!(!frame.shapes.is_empty(), "{name}");
                let is_far = |[x, y]: [f32; 2]| {
                    let [cx, cy] = frame.camera.at;
                    (x - cx).abs().max((y - cy).abs()) > 20.0 * frame.camera.height
                };
                for shape in &frame.shapes {
                    if let Form::Circle { at, .. } | Form::Rectangle { at, .. } = shape.form {
                        assert!(!is_far(at), "{name}: {shape:?} is far outside of the picture");
                    }
                }
            }
        }
    }
}

#[test]
fn examples_give_the_bits_of_the_reference() {
    for file in files("examples", "world") {
        let world: Arc<_> = compile(&fs::read_to_string(&file).expect("an example can be read"));
        with_every_isa(|_| compare_with_reference(&world, &world.parameters(), 40, 60, 3));
    }
}

#[test]
fn the_world_of_the_document_is_an_example() {
    let document = fs::read_to_string(path("../../docs/worlds.md")).expect("the document can be read");
    let world = document.split("```\n").nth(1).expect("a block of code");
    let lander = fs::read_to_string(path("examples/lander.world")).expect("an example can be read");
    assert_eq!(world, lander);
}
