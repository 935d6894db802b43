//! Worlds as programs of other languages. The classes for NumPy are compared with the reference by
//! `python/tests/test_world_class.py`, the shaders by the tests of the crate `learnery-gpu`.

use std::fs;
use std::path::Path;

use learnery_world_rules::World;
use naga::valid::{Capabilities, ValidationFlags, Validator};

use crate::programs::program;
use crate::support::{compile, example, files};

/// Random programs whose shaders are checked.
const PROGRAMS: u32 = 500;

/// The names and worlds of the folder `examples`.
fn examples() -> impl Iterator<Item = (String, World)> {
    files("examples", "world").into_iter().map(|file| {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let world = compile(&fs::read_to_string(&file).expect("an example can be read"));
        (name, World::clone(&world))
    })
}

/// Panics unless naga accepts the module and writes it as SPIR-V.
fn check_shader(name: &str, text: &str) {
    let module = naga::front::wgsl::parse_str(text)
        .unwrap_or_else(|e| panic!("{name}: {}\n{text}", e.emit_to_string(text)));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    let info =
        validator.validate(&module).unwrap_or_else(|e| panic!("{name}: {}\n{text}", e.emit_to_string(text)));
    let entries: Vec<&str> = module.entry_points.iter().map(|entry| &entry.name[..]).collect();
    assert_eq!(entries, ["begin", "main"], "{name}");
    let options = naga::back::spv::Options::default();
    let written = naga::back::spv::write_vec(&module, &info, &options, None);
    assert!(written.is_ok(), "{name}: {written:?}\n{text}");
}

#[test]
fn shaders_of_examples_are_valid() {
    // The browser test of all kernels reads them here, and lets Chromium's stricter compiler look.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shaders/learnery_world_rules");
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written to");
    for (name, world) in examples() {
        let text = world.wgsl();
        check_shader(&name, &text);
        assert!(text.lines().all(|line| !line.starts_with("// ") || line.chars().count() <= 110), "{name}");
        fs::write(folder.join(format!("{name}.wgsl")), text).expect("a file can be written");
    }
}

#[test]
fn shaders_of_random_programs_are_valid() {
    let mut compiled = 0;
    for seed in 0.. {
        // Programs that are certain to fail are no worlds.
        if let Ok(world) = World::compile(&program(seed)) {
            check_shader(&format!("program {seed}"), &world.wgsl());
            compiled += 1;
        }
        if compiled == PROGRAMS {
            break;
        }
    }
}

#[test]
fn exports_have_only_the_functions_that_they_call() {
    let shader = example("cartpole").wgsl();
    assert!(shader.contains("fn rules_sin_cos") && shader.contains("fn rules_uniform"));
    for absent in ["fn rules_exp", "fn rules_log", "fn rules_tanh", "fn rules_normal"] {
        assert!(!shader.contains(absent), "{absent}");
    }
    assert!(example("stock").wgsl().contains("fn rules_normal"));
}

#[test]
fn classes_of_examples_have_the_names_of_the_text() {
    for (name, world) in examples() {
        let class = world.numpy();
        assert!(!class.contains('$'), "{name}: a part of the template has no value");
        let spec = world.spec();
        for seen in spec.state.iter().chain(spec.observations.iter().map(|seen| &seen.name)) {
            assert!(class.contains(&format!("\"{seen}\"")), "{name}: {seen}");
        }
    }
    let class = example("cartpole").numpy();
    assert!(class.contains("\nclass CartAndPoleWorld:\n"), "{class}");
    assert!(class.contains("PARAMETERS = {\"gravity\": (9.8, 1.0, 25.0), \"force\": (10.0, 2.0, 30.0)}"));
}

/// A title cannot leave the comment or the string that it stands in.
#[test]
fn titles_become_no_code() {
    let rules = "about \"\\ \u{2028} \u{85} '''\"\naction push: left, right\nstate x = 0\nx' = push\nreward 1\nlimit 9";
    for (title, class) in
        [("3 + $CLASS\u{2028}fn f()", "_3ClassFnFWorld"), ("none", "NoneWorld"), ("走", "World")]
    {
        let world = compile(&format!("world \"{title}\"\n{rules}"));
        let (shader, module) = (world.wgsl(), world.numpy());
        check_shader(title, &shader);
        assert!(!shader.contains(['\u{2028}', '\u{85}']) && !module.contains(['\u{2028}', '\u{85}']));
        assert!(module.contains(&format!("\nclass {class}:\n")), "{module}");
        assert!(module.contains(r"\\   "), "{module}");
    }
}
