//! Compares exported files with their circuits: the files are parsed and evaluated gate by gate, validated,
//! or compiled and run.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use naga::valid::{Capabilities, ValidationFlags, Validator};
use serde_json::Value;

use super::{Format, Origin, export_text, file_name};
use crate::circuit::{Gate, GateKind, HardAutomaton, Netlist, prune};
use crate::experiment::Experiment;
use crate::test_circuits::{TestRandom, experiment_netlist, life_netlist};

/// An invented run that a circuit comes from.
fn origin(experiment: Experiment, gates_before: usize) -> Origin {
    let fire_rate = if experiment == Experiment::Async { 0.6 } else { 1.0 };
    Origin { experiment, seed: 7, epochs: 512, fire_rate, gates_before }
}

/// A small circuit, a pruned one with a constant output, and one with gates of every kind.
fn cases() -> Vec<(Netlist, Origin)> {
    // Random circuits with the seeds 3 and 4; in the first, most gates are plain wires.
    let board = experiment_netlist(Experiment::Checkerboard, 3, true);
    let (before, pruned) = (board.gates.len(), prune(&board));
    let mut constant = pruned.clone();
    constant.outputs[3] = constant.wires() as u32;
    constant.gates.push(Gate { kind: GateKind::True, inputs: [0, 0] });
    vec![
        // The numbers of gates before pruning, which the files only mention.
        (life_netlist(), origin(Experiment::Life, 2543)),
        (constant, origin(Experiment::Checkerboard, before)),
        (experiment_netlist(Experiment::Async, 4, false), origin(Experiment::Async, 5632)),
    ]
}

/// Evaluates an expression such as `a`, `~a`, `a & ~b` or `~(a ^ b)`.
fn evaluate(text: &str, values: &HashMap<String, u64>) -> u64 {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("~(").and_then(|rest| rest.strip_suffix(')')) {
        return !evaluate(inner, values);
    }
    for (sign, apply) in
        [(" & ", (|a, b| a & b) as fn(u64, u64) -> u64), (" | ", |a, b| a | b), (" ^ ", |a, b| a ^ b)]
    {
        if let Some((a, b)) = text.split_once(sign) {
            return apply(evaluate(a, values), evaluate(b, values));
        }
    }
    match text {
        "0" | "0u" | "{CELLS{1'b0}}" => 0,
        "~(bits)0" | "0xffffffffu" | "{CELLS{1'b1}}" => u64::MAX,
        _ => match text.strip_prefix('~') {
            Some(name) => !values[name],
            None => values[text],
        },
    }
}

/// Parses an exported Verilog, C or WGSL file and evaluates its cell, line by line. `cases` are the inputs.
fn run(text: &str, cases: &[u64], channels: usize) -> Vec<u64> {
    let (mut values, mut outputs) = (HashMap::new(), vec![None; channels]);
    let number = |text: &str| -> usize { text.trim().trim_end_matches('u').parse().expect("a number") };
    for line in text.lines() {
        let Some(line) = line.trim().strip_suffix(';') else { continue };
        if let Some(rest) = line.strip_prefix("keep(id, ") {
            let (channel, name) = rest.trim_end_matches(')').split_once(", ").expect("a channel and a wire");
            outputs[number(channel)] = Some(values[name]);
            continue;
        }
        let Some((left, right)) = line.split_once(" = ") else { continue };
        let target = left.split_whitespace().last().expect("an assignment has a target");
        if let Some(channel) = target.strip_prefix("next[").and_then(|rest| rest.strip_suffix(']')) {
            if let Ok(channel) = channel.parse::<usize>() {
                outputs[channel] = Some(values[right]);
            }
        } else if let Some(Ok(channel)) = target.strip_prefix("next").map(str::parse::<usize>) {
            outputs[channel] = Some(values[right]);
        } else if let Some(wire) =
            right.strip_prefix("near[CELLS * ").and_then(|rest| rest.strip_suffix(" +: CELLS]"))
        {
            values.insert(target.to_owned(), cases[number(wire)]);
        } else if let Some(wire) = right.strip_prefix("near[").and_then(|rest| rest.strip_suffix(']')) {
            values.insert(target.to_owned(), cases[number(wire)]);
        } else if let Some(place) = right.strip_prefix("near(id, ") {
            let parts: Vec<&str> = place.trim_end_matches(')').split(", ").collect();
            let step = |text: &str| text.parse::<i32>().expect("a number");
            let (right, below) = (step(parts[1]) + 1, step(parts[2]) + 1);
            values.insert(target.to_owned(), cases[9 * number(parts[0]) + (3 * below + right) as usize]);
        } else if target.starts_with('g') && target[1..].parse::<u32>().is_ok() {
            let value = evaluate(right, &values);
            values.insert(target.to_owned(), value);
        }
    }
    outputs.into_iter().map(|value| value.expect("every channel has a value")).collect()
}

#[test]
fn exported_expressions_evaluate_as_the_netlist_does() {
    for (netlist, origin) in cases() {
        let mut random = TestRandom::new(1);
        let inputs: Vec<u64> = (0..netlist.inputs()).map(|_| random.word()).collect();
        let values = netlist.evaluate(&inputs);
        let expected: Vec<u64> = netlist.outputs.iter().map(|wire| values[*wire as usize]).collect();
        for format in [Format::Verilog, Format::C, Format::Wgsl] {
            let text = export_text(&netlist, &origin, format);
            assert_eq!(
                run(&text, &inputs, netlist.channels),
                expected,
                "{format:?}, {}",
                file_name(&origin, format)
            );
            assert!(text.lines().all(|line| line.len() <= 130), "{format:?}: a line is too long");
            let head: String = text.lines().take_while(|line| line.starts_with("//")).collect();
            assert!(
                head.contains("seed 7, 512 epochs") && head.contains(&netlist.gates.len().to_string()),
                "{head}"
            );
        }
    }
}

#[test]
fn exported_json_contains_the_netlist() {
    for (netlist, origin) in cases() {
        let read: Value =
            serde_json::from_str(&export_text(&netlist, &origin, Format::Json)).expect("it is JSON");
        let number = |value: &Value| value.as_u64().expect("a number") as u32;
        let list = |name: &str| read[name].as_array().expect("a list").clone();
        let gate = |gate: &Value| Gate {
            kind: GateKind::from_number(number(&gate[0]) as u8),
            inputs: [number(&gate[1]), number(&gate[2])],
        };
        let same = Netlist {
            channels: number(&read["channels"]) as usize,
            gates: list("gates").iter().map(gate).collect(),
            outputs: list("outputs").iter().map(number).collect(),
        };
        assert_eq!(same, netlist);
        let setup = origin.experiment.setup();
        assert_eq!(read["periodic"], setup.periodic);
        assert_eq!(read["fire_rate"].as_f64(), Some(origin.fire_rate));
        let experiment: Experiment = serde_json::from_value(read["experiment"].clone()).expect("one of them");
        assert_eq!((experiment, list("places").len()), (origin.experiment, 9));
    }
}

#[test]
fn exported_shader_passes_the_validator_of_webgpu() {
    for (netlist, origin) in cases() {
        let text = export_text(&netlist, &origin, Format::Wgsl);
        let module = match naga::front::wgsl::parse_str(&text) {
            Ok(module) => module,
            Err(error) => panic!("{}", error.emit_to_string(&text)),
        };
        let (flags, capabilities) = (ValidationFlags::all(), Capabilities::empty());
        let info = Validator::new(flags, capabilities).validate(&module).expect("it is valid");
        let [entry] = &module.entry_points[..] else { panic!("one entry point") };
        assert_eq!((&*entry.name, entry.workgroup_size), ("grow", [8, 8, 1]));
        // All four bindings are used, so the automatic bind group layout has them all.
        let used =
            module.global_variables.iter().filter(|(one, _)| !info.get_entry_point(0)[*one].is_empty());
        let mut bindings: Vec<u32> =
            used.filter_map(|(_, one)| Some(one.binding.as_ref()?.binding)).collect();
        bindings.sort_unstable();
        assert_eq!(bindings, [0, 1, 2, 3]);
        // The parser would notice an undefined wire. `keep` stores a channel's next value.
        let wrong = text.replacen("keep(id, 0u, ", "keep(id, 0u, missing + ", 1);
        assert!(
            wrong != text && naga::front::wgsl::parse_str(&wrong).is_err(),
            "an undefined name was accepted"
        );
    }
}

/// Whether a program can be started. Prints a note if not.
fn installed(program: &str) -> bool {
    let there = Command::new(program).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !there {
        eprintln!("{program} is not installed, so its test is skipped");
    }
    there
}

/// Runs a program in a folder with `given` as its input, and returns its output.
#[track_caller]
fn printed(folder: &Path, program: &str, args: &[&str], given: &str) -> String {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("it listens").write_all(given.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{program} {args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// An automaton in a random state, and the state as planes.
fn start(netlist: &Netlist, size: [usize; 2], periodic: bool) -> (HardAutomaton, Vec<Vec<bool>>) {
    let (mut automaton, mut random) =
        (HardAutomaton::new(netlist.clone(), size, periodic, 1), TestRandom::new(9));
    let state: Vec<Vec<bool>> = (0..netlist.channels).map(|_| random.bits(size[0] * size[1])).collect();
    state.iter().enumerate().for_each(|(channel, bits)| automaton.set_channel(channel, bits.iter().copied()));
    (automaton, state)
}

fn planes(automaton: &HardAutomaton, channels: usize) -> Vec<Vec<bool>> {
    (0..channels).map(|channel| automaton.channel(channel).collect()).collect()
}

#[test]
fn exported_c_program_steps_grids() {
    if !installed("cc") {
        return;
    }
    for (netlist, origin) in cases() {
        let folder = tempfile::tempdir().expect("there is room");
        let source = file_name(&origin, Format::C);
        std::fs::write(folder.path().join(&source), export_text(&netlist, &origin, Format::C))
            .expect("it is written");
        printed(
            folder.path(),
            "cc",
            &["-std=c99", "-Wall", "-Wextra", "-Wno-unused-variable", "-o", "grow", &source],
            "",
        );
        let channels = netlist.channels.to_string();
        // Rows of exactly one word, of part of a word, and of three words.
        for size in [[64, 3], [7, 5], [130, 4]] {
            let (mut automaton, state) = start(&netlist, size, origin.setup().periodic);
            let text = |planes: &[Vec<bool>]| {
                let dot = |on: &bool| if *on { '#' } else { '.' };
                let row = |row: &[bool]| row.iter().map(dot).chain(['\n']).collect::<String>();
                let plane = |plane: &Vec<bool>| plane.chunks_exact(size[0]).map(row).collect::<String>();
                planes.iter().map(plane).collect::<Vec<_>>().join("\n")
            };
            let given = text(&state);
            (0..3).for_each(|_| automaton.step(None));
            // Three steps, all channels, every cell active; then no cell active.
            let grown = printed(folder.path(), "./grow", &["3", &channels, "1"], &given);
            assert!(grown == text(&planes(&automaton, netlist.channels)), "{size:?}, {source}");
            let unchanged = printed(folder.path(), "./grow", &["3", &channels, "0"], &given);
            assert!(unchanged == given, "{size:?}, {source}: no cell is active");
        }
    }
}

#[test]
fn exported_verilog_modules_step_grids() {
    if !installed("iverilog") {
        return;
    }
    let [width, height] = [5, 4];
    for (netlist, origin) in cases() {
        let periodic = origin.setup().periodic;
        let channels = netlist.channels;
        let (mut automaton, state) = start(&netlist, [width, height], periodic);
        // The highest bit first, as in Verilog numbers.
        let digits = |planes: &[Vec<bool>]| -> String {
            let cells = (0..width * height).flat_map(|cell| (0..channels).map(move |c| (cell, c)));
            cells.rev().map(|(cell, c)| if planes[c][cell] { '1' } else { '0' }).collect()
        };
        let awake = TestRandom::new(3).bits(width * height);
        let mask: String = awake.iter().rev().map(|on| if *on { '1' } else { '0' }).collect();
        let (bits, cells) = (channels * width * height, width * height);
        // A test bench: loads the state, runs a step of all cells, then a step of some, and prints the state
        // after each tick.
        let bench = format!(
            "module bench;
    reg clock = 0, load = 1;
    reg [{cells}-1:0] awake = ~{cells}'b0;
    wire [{bits}-1:0] state;
    learned_grid #(.WIDTH({width}), .HEIGHT({height})) grid (.clock(clock), .load(load), .start({bits}'b{}),
        .awake(awake), .state(state));
    task tick; begin #1 clock = 1; #1 clock = 0; end endtask
    initial begin
        tick; $display(\"%b\", state);
        load = 0; tick; $display(\"%b\", state);
        awake = {cells}'b{mask}; tick; $display(\"%b\", state);
    end
endmodule
",
            digits(&state)
        );
        let mut expected = vec![digits(&state)];
        for awake in [None, Some(&awake[..])] {
            automaton.step(awake);
            expected.push(digits(&planes(&automaton, channels)));
        }
        let folder = tempfile::tempdir().expect("there is room");
        let text = export_text(&netlist, &origin, Format::Verilog) + &bench;
        std::fs::write(folder.path().join("all.v"), text).expect("it is written");
        printed(folder.path(), "iverilog", &["-g2001", "-Wall", "-Wno-timescale", "-o", "all", "all.v"], "");
        let shown = printed(folder.path(), "vvp", &["all"], "");
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{:?}", origin.experiment);
    }
}

/// Its compile time must not grow with the number of cells times the number of gates. Here 20x20 cells have
/// 128 channels.
#[test]
fn exported_verilog_of_many_channels_is_compiled_in_seconds() {
    if !installed("iverilog") {
        return;
    }
    let netlist = experiment_netlist(Experiment::Figure, 5, false);
    let folder = tempfile::tempdir().expect("there is room");
    let text = export_text(&netlist, &origin(Experiment::Figure, netlist.gates.len()), Format::Verilog);
    std::fs::write(folder.path().join("figure.v"), text).expect("it is written");
    let begin = Instant::now();
    printed(folder.path(), "iverilog", &["-g2001", "-Wall", "-Wno-timescale", "-o", "all", "figure.v"], "");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
