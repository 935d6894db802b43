//! `learnery watch --once`, `completions` and `man`. A *unit* (`--units`) is one training iteration.

use std::fs;

use crate::common::{Sandbox, contents, json_lines};

#[test]
fn summary_of_finished_damaged_and_growing_runs_changes_no_file() {
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 5 --seed 3 --out a");
    sandbox.train_small("--units 4 --seed 4 --set gamma=0.9 --out b");
    // The end is damaged: a line that is no row, and a row that was cut.
    let path = sandbox.path("b/metrics.jsonl");
    let rows = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{rows}\u{0}\u{0}garbage\n{}", &rows[..40])).unwrap();
    let before = contents(&sandbox.path("."));
    let lines = json_lines(&sandbox.succeed("watch a b --once --json --metric return").out);
    assert_eq!(lines.len(), 2);
    let (a, b) = (&lines[0], &lines[1]);
    assert_eq!(
        (&a["run"], &a["lab"], &a["seed"], &a["unit"]),
        (&"a".into(), &"control".into(), &3.into(), &5.into())
    );
    // In each of the 5 units, 8 worlds make 8 steps.
    assert_eq!((&a["work"], &a["rows"], &a["damagedLines"]), (&(5 * 64).into(), &5.into(), &0.into()));
    assert_eq!((&b["unit"], &b["damagedLines"], &b["endsWithinARow"]), (&4.into(), &1.into(), &true.into()));
    let last = sandbox.rows("a").pop().unwrap();
    assert_eq!((&a["metric"], &a["metrics"]["entropy"]), (&"return".into(), &last["entropy"]));
    assert!(a["metrics"]["entropy"].is_number() && a["fleet"].is_null());
    let message = sandbox.rejected("watch a b --once --metric nope", 2);
    assert!(message.starts_with("--metric nope: no run has this metric; the metrics are "), "{message}");
    assert!(message.contains(", return, "), "{message}");
    let text = sandbox.succeed("watch . --once").out;
    assert!(text.contains("1 damaged line"), "{text}");
    assert_eq!(text.lines().next().unwrap().split_whitespace().next(), Some("run"));
    assert_eq!(contents(&sandbox.path(".")), before);

    // While a run trains into the folder, which is locked.
    let mut child = sandbox.start_small("--out c --for 60s");
    while !sandbox.path("c/last.safetensors").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let lines = json_lines(&sandbox.succeed("watch c --once --json").out);
    assert_eq!((&lines[0]["growing"], &lines[0]["solved"]), (&true.into(), &false.into()));
    assert!(lines[0]["unit"].as_u64() >= Some(1));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn completions_and_manual_pages_know_commands_and_options() {
    let sandbox = Sandbox::new();
    for (shell, begin) in
        [("bash", "_learnery()"), ("zsh", "#compdef learnery"), ("fish", "# Print an optspec")]
    {
        let script = sandbox.succeed(&format!("completions {shell}")).out;
        assert!(script.starts_with(begin), "{shell}: {}", &script[..60]);
        // An option that a lab declares.
        assert!(script.contains("sweep") && script.contains("luck"), "{shell}");
    }
    let page = sandbox.succeed("man").out;
    assert!(page.contains(".TH learnery 1") && page.contains("learnery\\-train(1)"), "{page}");
    sandbox.succeed("man --out pages");
    let page = String::from_utf8(sandbox.read("pages/learnery-fleet-sweep.1")).unwrap();
    assert!(page.contains("\\-\\-seeds"), "{page}");
}

/// The terminal goes away: nothing of the monitor may stay behind, least of all a thread that asks for keys
/// again and again.
#[cfg(all(target_os = "linux", feature = "watch"))]
#[test]
fn monitor_ends_when_its_terminal_hangs_up() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    // `script` runs a command in a terminal of its own.
    if Command::new("script").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("script is missing; the test is left out");
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.train_small("--units 3 --out a");
    let program = env!("CARGO_BIN_EXE_learnery");
    let mut terminal = Command::new("script");
    terminal.args([
        "-qfc",
        &format!("stty cols 80 rows 24; echo $$ > pid; exec {program} watch a"),
        "screen",
    ]);
    terminal.current_dir(sandbox.path(".")).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut terminal = terminal.env("TERM", "xterm").spawn().unwrap();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let begin = Instant::now();
        while !is_so() {
            assert!(begin.elapsed() < Duration::from_secs(20), "{what}");
            sleep(Duration::from_millis(20));
        }
    };
    let screen = || fs::read(sandbox.path("screen")).unwrap_or_default();
    wait("nothing was drawn", &|| String::from_utf8_lossy(&screen()).contains("Runs"));
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let pid = String::from_utf8(sandbox.read("pid")).unwrap().trim().to_owned();
    let is_gone = || {
        let state = Command::new("ps").args(["-o", "stat=", "-p", &pid]).output().unwrap().stdout;
        // Whoever has adopted it may not have noticed its end yet.
        state.is_empty() || state.starts_with(b"Z")
    };
    wait("the monitor still runs", &is_gone);
}
