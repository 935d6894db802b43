//! The exported networks of every lab that has networks compute what the lab computes. Their graphs (the form
//! from which ONNX files and C headers are written) are run by a reference interpreter, and the C headers of
//! the small ones are compiled and run, if there is a C compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use learnery_backgammon_play::{Oracle, plays};
use learnery_kernels::rng::Stream;
use learnery_lab::graph::reference::{Array, run};
use learnery_lab::graph::{Dim, Element, Graph, c_header};
use learnery_lab::{Checkpoint, Entry, LabError, Session};
use learnery_labs::backgammon::networks::TrainedNetwork;
use learnery_labs::cube::{Solver, large};
use learnery_labs::{control, cube, find, language};
use serde_json::json;

/// Number of inputs that networks of control and cubes are compared on; afterstate networks get more, others
/// fewer.
const ROWS: usize = 40;

/// The position in which a game of backgammon begins, as GNU Backgammon's position ID.
const START_POSITION: &str = "4HPwATDgc/ABMA";

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> Checkpoint {
    Checkpoint::from_bytes(&fs::read(root().join(path)).expect(path)).expect(path)
}

/// The checkpoint of a golden run.
fn golden(name: &str) -> Checkpoint {
    read(&format!("tests/golden/runs/{name}.safetensors"))
}

fn entry(checkpoint: &Checkpoint) -> &'static Entry {
    find(&checkpoint.header.lab).expect("a lab")
}

/// The graphs of a checkpoint. Checks that each of their inputs and outputs is described and may have any
/// number of rows.
fn graphs(checkpoint: &Checkpoint) -> Vec<Graph> {
    let graphs = entry(checkpoint).graphs(checkpoint).expect("its own checkpoint");
    for graph in &graphs {
        for port in graph.inputs.iter().chain(&graph.outputs) {
            assert!(port.shape.contains(&Dim::Any("batch")) && !port.about.is_empty(), "{}", port.name);
        }
    }
    graphs
}

/// What a network computes: rows of inputs, and what the lab computes for each of them.
struct Case {
    graph: Graph,
    inputs: Vec<Vec<f32>>,
    /// The name of the output that is compared.
    output: &'static str,
    expected: Vec<Vec<f32>>,
}

impl Case {
    /// Runs the graph and compares its output with that of the lab.
    fn check(&self) {
        let (rows, width) = (self.inputs.len(), self.inputs[0].len());
        let inputs = Array::of(&[rows, width], &self.inputs.concat());
        let outputs = run(&self.graph, &[(&self.graph.inputs[0].name, inputs)]);
        self.compare(&outputs[self.output].numbers);
    }

    /// Asserts that the outputs agree within 1e-5 of the largest expected value (of 1, if none is larger).
    fn compare(&self, found: &[f64]) {
        let expected = self.expected.concat();
        assert_eq!(found.len(), expected.len());
        let scale = expected.iter().fold(1.0, |scale: f32, value| scale.max(value.abs()));
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let error = (found - f64::from(*expected)).abs() / f64::from(scale);
            assert!(error < 1e-5, "{} {i}: {found} and {expected}", self.graph.name);
        }
    }
}

/// The cases of actor and critic, on random observations.
fn control_cases(checkpoint: &Checkpoint) -> Vec<Case> {
    let network = control::TrainedNetwork::from_checkpoint(checkpoint).expect("a network");
    let mut observations = vec![0.0; ROWS * network.inputs()];
    Stream::new(1, 2).fill_normal(0, &mut observations);
    // Some are so large that normalisation clips them.
    observations.iter_mut().step_by(7).for_each(|x| *x *= 100.0);
    let rows =
        |numbers: &[f32]| numbers.chunks(numbers.len() / ROWS).map(<[f32]>::to_vec).collect::<Vec<_>>();
    let inputs = rows(&observations);
    let outputs = [network.actor(&observations), network.critic(&observations)];
    let names = [if checkpoint.header.config["world"] == "pendulum" { "mean" } else { "logits" }, "value"];
    graphs(checkpoint)
        .into_iter()
        .zip(outputs.iter().zip(names))
        .map(|(graph, (expected, output))| Case {
            graph,
            inputs: inputs.clone(),
            output,
            expected: rows(expected),
        })
        .collect()
}

/// Positions of random games, each with the dice that come next. There are so many that each network of
/// backgammon, which values only some kinds of positions, gets more than [`ROWS`].
fn positions() -> Vec<String> {
    let (stream, mut position, mut found) = (Stream::new(3, 4), START_POSITION.to_owned(), Vec::new());
    for turn in 0.. {
        let [a, b] = [0, 1].map(|die| 1 + stream.below(turn, die, 6));
        let line = format!("{position} {a} {b}");
        let Ok(answer) = plays(&line, true) else {
            if found.len() > 12 * ROWS {
                return found;
            }
            // The game is over.
            position = START_POSITION.into();
            continue;
        };
        found.push(line);
        // The answer repeats the position and both dice and counts the plays. Then come the positions that
        // the plays lead to.
        let plays: Vec<&str> = answer.split(' ').skip(4).collect();
        position = plays[stream.below(turn, 2, plays.len() as u32) as usize].to_owned();
    }
    unreachable!("the loop returns")
}

/// The player with the network of a checkpoint, without lookahead.
fn oracle(checkpoint: &Checkpoint) -> Oracle<TrainedNetwork> {
    let network = TrainedNetwork::from_checkpoint(checkpoint).expect("a network");
    Oracle::new(network, 0).expect("a possible depth")
}

/// The cases of networks that value positions before the roll. The better evaluator of races that a
/// checkpoint can have is not exported, so it is left out.
fn backgammon_cases(checkpoint: &Checkpoint) -> Vec<Case> {
    let mut checkpoint = checkpoint.clone();
    let names: Vec<String> = checkpoint.tensors.iter().map(|(name, _)| name.to_owned()).collect();
    names.iter().filter(|name| name.starts_with("network/turns/")).for_each(|name| {
        checkpoint.tensors.remove(name);
    });
    let checkpoint = &checkpoint;
    let network = TrainedNetwork::from_checkpoint(checkpoint).expect("a network");
    let mut oracle = oracle(checkpoint);
    let mut cases: Vec<Case> = graphs(checkpoint)
        .into_iter()
        .map(|graph| Case { graph, inputs: vec![], output: "outcomes", expected: vec![] })
        .collect();
    for line in positions() {
        let position = line.split(' ').next().unwrap_or_default();
        // No network values a position whose value is known exactly.
        let Ok((name, inputs)) = network.inputs(position) else { continue };
        let case = cases.iter_mut().find(|case| case.graph.name == name).expect("a graph of this name");
        case.inputs.push(inputs);
        case.expected.push(oracle.value(position).expect("a position").1.0.to_vec());
    }
    cases
}

/// The case of a cube's network, on states after 1 to [`ROWS`] random turns.
fn cube_case(checkpoint: &Checkpoint) -> Case {
    let [graph] = <[Graph; 1]>::try_from(graphs(checkpoint)).expect("one network");
    // Leaked, because the names of the other labs' outputs are constants.
    let output = graph.outputs[0].name.clone().leak();
    let is_large = graph.notes.contains(&("puzzle".into(), "3x3x3".into()));
    let mut case = Case { graph, inputs: vec![], output, expected: vec![] };
    let scramble = |i: usize| -> String {
        let letter = |k| b"URFDLB"[Stream::new(5, 6).below(i as u64, k, 6) as usize] as char;
        (0..1 + i as u64).map(letter).collect()
    };
    if is_large {
        let network = large::network_of(checkpoint).expect("a network");
        for i in 0..ROWS {
            let state = large::read_state(network.puzzle(), &scramble(i), None).expect("a scramble");
            case.inputs.push(state.iter().take(network.puzzle().places()).map(|v| f32::from(*v)).collect());
            case.expected.push(network.graph_output(&state));
        }
    } else {
        let solver = Solver::open(checkpoint, None).expect("a network");
        for i in 0..ROWS {
            let state = cube::parse(&scramble(i)).expect("a scramble").state;
            case.inputs.push(solver.graph_input(state).into_iter().map(|v| v as f32).collect());
            case.expected.push(solver.graph_output(state));
        }
    }
    case
}

#[test]
fn actor_and_critic_compute_what_they_compute_in_the_lab() {
    for name in ["control-ppo", "control-pendulum"] {
        control_cases(&golden(name)).iter().for_each(Case::check);
    }
    control_cases(&normalised()).iter().for_each(Case::check);
}

/// A run with normalised observations.
fn normalised() -> Checkpoint {
    let settings = json!({ "world": "acrobot", "worlds": 16, "horizon": 8, "hidden": 8, "minibatches": 1,
        "normalise_observations": true });
    let mut session = Session::start(*find("control").expect("a lab"), &settings, 3).expect("good settings");
    session.advance_unit();
    session.save()
}

#[test]
fn afterstate_networks_value_positions_as_players_do() {
    for checkpoint in [golden("backgammon-afterstates"), read("models/backgammon.safetensors")] {
        for case in backgammon_cases(&checkpoint) {
            assert!(case.inputs.len() > ROWS, "{} positions", case.inputs.len());
            case.check();
        }
    }
}

#[test]
fn alphazero_networks_have_the_outcomes_of_all_rolls() {
    let checkpoint = golden("backgammon-alphazero");
    let network = TrainedNetwork::from_checkpoint(&checkpoint).expect("a network");
    let [graph] = <[Graph; 1]>::try_from(graphs(&checkpoint)).expect("one network");
    let mut oracle = oracle(&checkpoint);
    let mut compared = 0;
    // A sample of the positions, because each takes 21 evaluations.
    for line in positions().into_iter().step_by(60) {
        let position = line.split(' ').next().unwrap_or_default();
        assert!(network.inputs(position).unwrap_err().contains("two dice"));
        let dice = (1..=6).flat_map(|a| (1..=a).map(move |b| (a, b)));
        let (mut inputs, mut weights) = (Vec::new(), Vec::new());
        for (a, b) in dice {
            inputs.extend(network.inputs(&format!("{position} {a} {b}")).expect("a position").1);
            // Two different dice can be rolled in two ways.
            let ways = if a == b { 1.0 } else { 2.0 };
            weights.push(ways / 36.0);
        }
        // 21 rolls of two dice; 342 features of a position, 676 logits of plays, five outcomes.
        let outputs = run(&graph, &[("observations", Array::of(&[21, 342], &inputs))]);
        assert_eq!(outputs["policy"].shape, [21, 676]);
        let mean = |i: usize| -> f64 {
            weights.iter().enumerate().map(|(row, w)| w * outputs["outcomes"].numbers[row * 5 + i]).sum()
        };
        let value = oracle.value(position).expect("a position").1.0;
        // Players clamp the outcomes to those that are possible in the position. Only positions in which none
        // is exactly 0 or 1 are compared, by the first outcome (a win).
        if value.iter().all(|p| *p > 0.0 && *p < 1.0) {
            assert!((mean(0) - f64::from(value[0])).abs() < 1e-5, "{position}");
            compared += 1;
        }
    }
    assert!(compared > 2, "only {compared} positions");
}

#[test]
fn networks_of_cubes_compute_what_searches_use() {
    for name in [
        "cube-davi",
        "cube-cayleypy",
        "cube-dqn",
        "cube-efficientcube",
        "cube3-davi",
        "cube3-cayleypy",
        "cube3-efficientcube",
    ] {
        cube_case(&golden(name)).check();
    }
    for name in ["models/cube.safetensors", "models/cube3.safetensors"] {
        cube_case(&read(name)).check();
    }
}

#[test]
fn transformers_give_the_logits_of_texts() {
    for name in ["language-task", "language-pairs", "language-stories"] {
        let checkpoint = golden(name);
        let network = language::Network::from_checkpoint(&checkpoint).expect("a network");
        let tokens: Vec<u16> = (0..8).map(|i| i * 5 % network.tokenizer.len() as u16).collect();
        let expected = vec![language::logits(&network, &tokens)];
        let inputs = vec![tokens.iter().map(|token| f32::from(*token)).collect()];
        let [graph, cached] = <[Graph; 2]>::try_from(graphs(&checkpoint)).expect("two networks");
        assert_eq!((graph.name.as_str(), cached.name.as_str()), ("network", "network_with_cache"));
        Case { graph, inputs, output: "logits", expected }.check();
    }
}

#[test]
fn checkpoints_without_a_network_are_refused() {
    let error = |checkpoint: &Checkpoint| entry(checkpoint).graphs(checkpoint).unwrap_err().to_string();
    assert!(error(&golden("logic-life")).starts_with("what it learned is a circuit and no network"));
    let mut empty = golden("control-ppo");
    empty.tensors = learnery_nn::Tensors::new();
    assert_eq!(error(&empty), "the checkpoint cannot be used: it holds no network");
    let mut partial = golden("control-ppo");
    partial.tensors.remove("network/critic/1/bias");
    assert_eq!(error(&partial), "the checkpoint cannot be used: tensor `critic/1/bias` is missing");
    let other = find("cube").expect("a lab").graphs(&golden("control-ppo")).unwrap_err();
    assert!(
        matches!(other, LabError::Checkpoint(problem) if problem.contains("belongs to the lab `control`"))
    );
}

/// A program that reads rows of inputs, number by number, and writes the outputs of the network `$NAME`.
const PROGRAM: &str = r#"
#include <stdio.h>
#include "net.h"
int main(void) {
    $KIND in[$WIDTH];
    for (;;) {
        for (int i = 0; i < $WIDTH; i++) {
            if (scanf("$FORMAT", &in[i]) != 1) return 0;
        }
        float out[$OUTPUTS];
        net_$NAME(in, out);
        for (int i = 0; i < $OUTPUTS; i++) printf("%.9g\n", out[i]);
    }
}
"#;

#[test]
fn c_headers_compute_what_the_networks_compute() {
    if Command::new("cc").arg("--version").output().is_err() {
        return;
    }
    let mut cases = Vec::new();
    cases.extend(control_cases(&golden("control-pendulum")));
    cases.extend(control_cases(&normalised()));
    cases.extend(backgammon_cases(&golden("backgammon-afterstates")));
    cases.extend(["cube-davi", "cube-dqn", "cube-efficientcube"].map(|name| cube_case(&golden(name))));
    cases.extend(backgammon_cases(&read("models/backgammon.safetensors")));
    let folder = tempfile::tempdir().expect("a folder");
    for case in cases {
        let header = c_header("net", &["A test */ of comments.".into()], std::slice::from_ref(&case.graph));
        fs::write(folder.path().join("net.h"), header.expect("a small network")).expect("a file");
        let (kind, format) = match case.graph.inputs[0].element {
            Element::F32 => ("float", "%f"),
            Element::I64 => ("int", "%d"),
        };
        let sizes = [case.inputs[0].len(), case.expected[0].len()].map(|size| size.to_string());
        let program = PROGRAM.replace("$KIND", kind).replace("$FORMAT", format);
        let program = program.replace("$WIDTH", &sizes[0]).replace("$OUTPUTS", &sizes[1]);
        fs::write(folder.path().join("main.c"), program.replace("$NAME", &case.graph.name)).expect("a file");
        let warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];
        let mut compiler = Command::new("cc");
        compiler.current_dir(&folder).args(warnings).args(["main.c", "-o", "main", "-lm"]);
        let compiled = compiler.output().expect("a compiler");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let inputs: String = case.inputs.iter().flatten().map(|number| format!("{number}\n")).collect();
        fs::write(folder.path().join("inputs"), inputs).expect("a file");
        let inputs = fs::File::open(folder.path().join("inputs")).expect("a file");
        let mut run = Command::new(folder.path().join("main"));
        let output = run.stdin(Stdio::from(inputs)).output().expect("the program");
        let text = String::from_utf8(output.stdout).expect("numbers");
        case.compare(&text.lines().map(|line| line.parse().expect("a number")).collect::<Vec<f64>>());
    }
}

#[test]
fn onnx_files_hold_the_settings_of_the_run() {
    let checkpoint = golden("cube-davi");
    let [(name, file)] = &entry(&checkpoint).onnx(&checkpoint).expect("its own checkpoint")[..] else {
        panic!("one network")
    };
    let text = String::from_utf8_lossy(file);
    assert_eq!(name, "network");
    for expected in ["U U' R R' F F'", "\"hidden_1\":12", "net/0/weight"] {
        assert!(text.contains(expected), "{expected}");
    }
}
