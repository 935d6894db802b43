//! Builds the wasm bundles of the page into `www/generated/wasm/`: for each lab one with threads and a simple one.
//!
//! Each flavour has its own target directory, because cargo would otherwise rebuild everything whenever the flags
//! change hands. What is up to date is skipped: cargo knows about the Rust side, and a stamp beside each
//! bundle about the rest.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use wasm_bindgen_cli_support::Bindgen;

use crate::paths::{cargo, root, run};

/// One build of the same crates.
struct Flavour {
    name: &'static str,
    /// What the crates may use, for rustc.
    features: &'static str,
    /// The same for wasm-opt, which otherwise refuses or misses what rustc emitted.
    wasm_opt: &'static [&'static str],
    threads: bool,
}

const FLAVOURS: [Flavour; 2] = [
    Flavour {
        name: "threads",
        features: "+atomics,+bulk-memory,+mutable-globals,+simd128,+relaxed-simd",
        wasm_opt: &["--enable-threads", "--enable-simd", "--enable-relaxed-simd"],
        threads: true,
    },
    Flavour { name: "simple", features: "+simd128", wasm_opt: &["--enable-simd"], threads: false },
];

/// What rustc switches on for every module, beside the features of a flavour.
const BASE_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// A shared memory has to name its limit at birth. Desktops give more, phones refuse more.
const MOST_MEMORY: u32 = 1 << 30;

const TARGET: &str = "wasm32-unknown-unknown";

/// What asks for the benches instead, which no visitor loads.
const BENCH: &str = "--bench";

/// Builds what is not up to date and reports the sizes.
pub fn build(words: &[&str]) -> Result<()> {
    let bench = words.contains(&BENCH);
    let mut names: Vec<&str> = words.iter().copied().filter(|word| *word != BENCH).collect();
    let flavours = chosen(FLAVOURS.iter().collect(), |flavour| flavour.name, &mut names);
    let all = if bench { vec!["bench".to_owned()] } else { labs()? };
    let labs = chosen(all, |lab| lab, &mut names);
    ensure!(
        names.is_empty(),
        "there are no bundles `{}`; there are threads, simple and the labs",
        names.join(" ")
    );
    let out = root().join("www/generated").join(if bench { "wasm-bench" } else { "wasm" });
    let mut files = Vec::new();
    for flavour in flavours {
        eprintln!("wasm bundles `{}`", flavour.name);
        let modules = compile(flavour, &labs, bench)?;
        let jobs = labs
            .iter()
            .map(|lab| (modules.join(lab).with_extension("wasm"), out.join(flavour.name).join(lab)));
        let jobs: Vec<(PathBuf, PathBuf)> = jobs.collect();
        at_once(&jobs, |(module, folder)| bring_up_to_date(flavour, module, folder))?;
        for (_, folder) in jobs {
            files.push(folder.join("learnery_web_bg.wasm"));
            files.push(folder.join("learnery_web.js"));
        }
    }
    run(Command::new("node").current_dir(root()).arg("scripts/sizes.mjs").args(files))
}

/// Those of `all` that are named, whose names are then crossed out; all of them where none is.
fn chosen<T>(mut all: Vec<T>, name: impl Fn(&T) -> &str, names: &mut Vec<&str>) -> Vec<T> {
    if all.iter().any(|each| names.contains(&name(each))) {
        all.retain(|each| names.contains(&name(each)));
        names.retain(|word| !all.iter().any(|each| name(each) == *word));
    }
    all
}

/// The labs that have a bundle: the programs that `crates/web` declares.
fn labs() -> Result<Vec<String>> {
    let text = crate::paths::output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let asks_for = |target: &Value| list(&target["required-features"]).contains(&Value::from("bundles"));
    let names = list(&metadata["packages"])
        .iter()
        .filter(|package| package["name"] == "learnery-web")
        .flat_map(|package| list(&package["targets"]))
        .filter(asks_for)
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect();
    Ok(names)
}

/// Does each job, as many at a time as the machine has threads: most of the time goes to wasm-opt, which uses one.
fn at_once<T: Sync>(jobs: &[T], work: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for some in jobs.chunks(threads) {
        std::thread::scope(|scope| {
            let running: Vec<_> = some.iter().map(|job| scope.spawn(|| work(job))).collect();
            running.into_iter().try_for_each(|job| job.join().map_err(|_| anyhow!("a build panicked"))?)
        })?;
    }
    Ok(())
}

/// Binds a module anew where it or the way to bind it has changed.
fn bring_up_to_date(flavour: &Flavour, module: &Path, folder: &Path) -> Result<()> {
    let stamp = stamp(flavour, module)?;
    if fs::read_to_string(folder.join("stamp")).is_ok_and(|present| present == stamp) {
        return Ok(());
    }
    bind(flavour, module, folder)?;
    fs::write(folder.join("stamp"), stamp).with_context(|| format!("cannot write to {}", folder.display()))
}

/// Compiles the crates; returns the folder of the raw modules.
fn compile(flavour: &Flavour, labs: &[String], bench: bool) -> Result<PathBuf> {
    let mut command = cargo_for(flavour)?;
    command
        .args(["build", "--package=learnery-web", "--profile=wasm"])
        .args(labs.iter().flat_map(|lab| ["--bin", lab]))
        .arg(if bench { "--features=bench" } else { "--features=bundles" });
    if flavour.threads {
        command.args([
            "--features=threads",
            "-Zbuild-std=std,panic_abort",
            // For size: the standard library does nothing that has to be fast.
            "-Zbuild-std-features=optimize_for_size",
        ]);
    }
    run(&mut command)?;
    Ok(target_dir(flavour).join(TARGET).join("wasm"))
}

/// Cargo with the flags and the target directory of the simple bundles.
pub fn simple_cargo() -> Result<Command> {
    cargo_for(&FLAVOURS[1])
}

/// Cargo with the flags and the target directory of a flavour.
fn cargo_for(flavour: &Flavour) -> Result<Command> {
    let mut command = cargo();
    command.env("CARGO_BUILD_TARGET", TARGET);
    command.env("CARGO_TARGET_DIR", target_dir(flavour));
    command.env("CARGO_ENCODED_RUSTFLAGS", flags(flavour)?);
    // Two switches are not stable: sharing generics, and the standard library with atomics that threads need. This
    // variable makes the pinned stable compiler accept them.
    command.env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

fn target_dir(flavour: &Flavour) -> PathBuf {
    root().join("target").join(format!("wasm-{}", flavour.name))
}

/// Compiler flags, in the form that allows spaces in paths.
fn flags(flavour: &Flavour) -> Result<OsString> {
    let mut flags = vec![
        format!("-Ctarget-feature={}", flavour.features),
        format!("-Clink-arg=--max-memory={MOST_MEMORY}"),
        // One copy of what several crates ask of a generic function, serde's above all: a tenth of the module.
        "-Zshare-generics=y".into(),
        // Loop strength reduction gives every address in a loop an addition of its own, where an engine would have
        // taken the offset into the load; and it turns the order of the products' sums into one that spills.
        "-Cllvm-args=-disable-lsr".to_owned(),
    ];
    if flavour.threads {
        // Without these everything builds, and then the pool fails to start in the browser.
        flags.extend(["--shared-memory", "--import-memory"].map(|arg| format!("-Clink-arg={arg}")));
        flags.extend(
            ["__wasm_init_tls", "__tls_size", "__tls_align", "__tls_base"]
                .map(|symbol| format!("-Clink-arg=--export={symbol}")),
        );
    }
    // Messages of panics name source files: not those of the machine that built them.
    for (from, to) in [(cargo_home(), "cargo"), (sysroot()?, "rust"), (root(), ".")] {
        flags.push(format!("--remap-path-prefix={}={to}", from.display()));
    }
    Ok(flags.join("\u{1f}").into())
}

fn cargo_home() -> PathBuf {
    let home = || std::env::home_dir().unwrap_or_default().join(".cargo");
    std::env::var_os("CARGO_HOME").map_or_else(home, PathBuf::from)
}

fn sysroot() -> Result<PathBuf> {
    let text = crate::paths::output(Command::new("rustc").current_dir(root()).args(["--print", "sysroot"]))?;
    Ok(text.trim().into())
}

/// Says which module and which later steps a bundle was made from.
fn stamp(flavour: &Flavour, module: &Path) -> Result<String> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    // FNV-1a is enough to notice a change.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Ok(format!("{hash:016x} {}\n", wasm_opt_flags(flavour).join(" ")))
}

fn wasm_opt_flags(flavour: &Flavour) -> Vec<&'static str> {
    let mut flags = vec!["-O3", "--strip-debug", "--strip-producers"];
    flags.extend(BASE_FEATURES);
    flags.extend(flavour.wasm_opt);
    flags
}

/// From the raw module to what the page imports: glue in JavaScript, types, the optimised module.
fn bind(flavour: &Flavour, module: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    Bindgen::new()
        .input_path(module)
        .out_name("learnery_web")
        .web(true)?
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
        .context("wasm-bindgen failed")?;
    // wasm-bindgen-rayon's threads import the folder that holds them, as a package.
    let package = r#"{ "type": "module", "main": "learnery_web.js", "types": "learnery_web.d.ts" }"#;
    fs::write(folder.join("package.json"), package)?;

    let file = folder.join("learnery_web_bg.wasm");
    let wasm_opt = root().join("node_modules/binaryen/bin/wasm-opt");
    ensure!(wasm_opt.exists(), "wasm-opt is missing: run `npm ci` first");
    run(Command::new("node").arg(wasm_opt).args(wasm_opt_flags(flavour)).arg(&file).arg("-o").arg(&file))?;

    // A compressed transfer does not say how much will arrive; the page shows how far loading is.
    let glue = folder.join("learnery_web.js");
    let mut code = fs::read_to_string(&glue)?;
    code.push_str(&format!("\nexport const moduleBytes = {};\n", fs::metadata(&file)?.len()));
    fs::write(glue, code).context("cannot write learnery_web.js")
}
