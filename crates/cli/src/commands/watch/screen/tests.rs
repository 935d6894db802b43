//! The screen, drawn into memory.

use std::fs;
use std::path::Path;

use learnery_fleet::status::{
    FleetStatus, JobCounts, LearnerState, LearnerStatus, MachineStatus, RefusalCount,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tempfile::TempDir;

use super::*;
use crate::args::WatchArgs;

/// A folder with runs `a`, `b`, ..., which have a row for each value.
fn folder(runs: &[&[f64]]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (i, values) in runs.iter().enumerate() {
        let run = root.path().join(char::from(b'a' + i as u8).to_string());
        fs::create_dir(&run).unwrap();
        let config =
            format!("# learnery train control --config config.toml --seed {i}\nworlds = {}\n", 8 * (i + 1));
        fs::write(run.join("config.toml"), config).unwrap();
        let row = |(row, value): (usize, &f64)| {
            let unit = row + 1;
            format!(
                "{{\"unit\":{unit},\"work\":{},\"seconds\":{unit}.0,\"examReturn\":{value},\"loss\":1}}\n",
                64 * unit
            )
        };
        fs::write(run.join("metrics.jsonl"), values.iter().enumerate().map(row).collect::<String>()).unwrap();
    }
    root
}

fn read(root: &Path) -> Runs {
    let runs = vec![root.display().to_string()];
    let mut runs = Runs::find(&WatchArgs { runs, metric: None, once: false, json: false, ca: None }).unwrap();
    while Reading::default().go_on(&mut runs.runs) {}
    runs
}

/// The screen as lines of text, without blanks at their ends.
fn picture(runs: &Runs, view: &View, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, runs, view, "processor 50 %")).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

/// Presses keys; `<` stands for Left, `v` for Down and `t` for Tab.
fn press(view: &mut View, runs: &Runs, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            'v' => KeyCode::Down,
            't' => KeyCode::Tab,
            key => KeyCode::Char(key),
        };
        assert!(view.handle_key(KeyEvent::from(code), &runs.runs));
    }
}

/// Asserts that the picture has each of these texts.
fn assert_shows(picture: &str, texts: &[&str]) {
    for text in texts {
        assert!(picture.contains(text), "`{text}` is missing in\n{picture}");
    }
}

#[test]
fn screen_of_two_runs_has_curves_goal_and_table() {
    let root = folder(&[&[100.0, 300.0, 480.0], &[50.0, 60.0]]);
    let (runs, view) = (read(root.path()), View::new(None));
    let text = picture(&runs, &view, 80, 24);
    assert_shows(
        &text,
        &["test score (fresh episodes), goal 490 │ as measured │ iterations\n", "    490│", "      0│"],
    );
    assert_shows(
        &text,
        &["── Runs ──", "━━ a", "480.0    480.0", "1/s", "growing", "processor 50 %", "q leave"],
    );
    // The braille characters with at least one dot.
    assert!(text.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)), "no curve in\n{text}");
    let text = picture(&runs, &view, 40, 12);
    assert_shows(&text, &["test score", "━━ a", "━━ b", "480.0", "growing", "q leave"]);
    assert_eq!(text.lines().count(), 12);
}

#[test]
fn keys_change_metric_smoothing_zoom_and_axis() {
    let values: Vec<f64> = (0..100).map(f64::from).collect();
    let root = folder(&[&values, &values]);
    let runs = read(root.path());
    let mut view = View::new(None);
    press(&mut view, &runs, "sss");
    assert_shows(&picture(&runs, &view, 100, 24), &["EMA 0.9 per value; grey: as measured"]);
    press(&mut view, &runs, "++");
    // The last quarter.
    assert_shows(&picture(&runs, &view, 100, 24), &["iterations, zoom 4", "75", "100"]);
    // A step left is a quarter of what is shown.
    press(&mut view, &runs, "<");
    assert_shows(&picture(&runs, &view, 100, 24), &["68.8", "93.8"]);
    assert_shows(&picture(&runs, &view, 40, 12), &["EMA 0.9, zoom 4 │ test score"]);
    assert_shows(
        &picture(&runs, &view, 80, 24),
        &["test score (fresh episodes) │ EMA 0.9 │ iterations, zoom 4\n"],
    );
    press(&mut view, &runs, "SSSx");
    assert_shows(&picture(&runs, &view, 100, 24), &["as measured │ world steps", "3200", "6400"]);
    press(&mut view, &runs, "x");
    assert_shows(&picture(&runs, &view, 100, 24), &["time of training", "1:40"]);
    press(&mut view, &runs, "m");
    assert_shows(&picture(&runs, &view, 100, 24), &["loss │"]);
    press(&mut view, &runs, "m");
    assert_shows(&picture(&runs, &view, 100, 24), &["test score"]);
    press(&mut view, &runs, "v ");
    assert!(!picture(&runs, &view, 100, 24).contains("━━ b"), "the second run is hidden");
    press(&mut view, &runs, "ah");
    assert_shows(&picture(&runs, &view, 100, 24), &["━━ b", " Keys ", "smooth more, less"]);
    assert!(view.handle_key(KeyEvent::from(KeyCode::Esc), &runs.runs) && !view.shows_help);
    assert!(!view.handle_key(KeyEvent::from(KeyCode::Char('q')), &runs.runs));
}

#[test]
fn settings_that_differ_are_listed() {
    let root = folder(&[&[1.0], &[2.0]]);
    let runs = read(root.path());
    let mut view = View::new(None);
    press(&mut view, &runs, "t");
    let text = picture(&runs, &view, 80, 24);
    assert_shows(
        &text,
        &["Settings in which the runs differ", "run", "seed worlds", "   0      8", "   1     16"],
    );
    let runs = read(&root.path().join("a"));
    assert_shows(&picture(&runs, &view, 80, 24), &["not the lab's defaults", "worlds", "8", "default 128"]);
}

#[test]
fn columns_of_settings_are_left_out_but_never_cut() {
    let values: Vec<&[f64]> = vec![&[1.0]; 20];
    let root = folder(&values);
    for i in 0..20 {
        let setting = |n: usize| format!("setting_{n} = 0.{n}{i:02}\n");
        let config = format!(
            "# learnery train control --config config.toml --seed {i}\n{}",
            (1..20).map(setting).collect::<String>()
        );
        let run = root.path().join(char::from(b'a' + i as u8).to_string());
        fs::write(run.join("config.toml"), config).unwrap();
    }
    let runs = read(root.path());
    let mut view = View::new(None);
    press(&mut view, &runs, "t");
    let text = picture(&runs, &view, 80, 50);
    assert_shows(
        &text,
        &[
            "seed setting_1 setting_10",
            "+14 more",
            "   0       0.1        0.1       0.11",
            "  19     0.119     0.1019     0.1119",
        ],
    );
    assert!(!text.contains("setting_6"), "{text}");
    assert_shows(&picture(&runs, &view, 30, 50), &["seed", "+19 more"]);
}

#[test]
fn fleet_is_shown_with_machines_and_refusals() {
    let root = folder(&[&[0.1, 0.2]]);
    let machine = |label: &str, bits: &str, working| MachineStatus {
        label: label.into(),
        bits: bits.into(),
        threads: 4,
        working,
        rate: Some(1500.0),
        bytes_per_second: 25_000.0,
        accepted: 321,
        ..MachineStatus::default()
    };
    let status = FleetStatus {
        unit: 17,
        last_unit: Some(300),
        jobs: JobCounts { all: 24, done: 9, in_check: 1, leased: 8, open: 6 },
        learner: LearnerStatus { state: LearnerState::Waiting, waiting_share: 0.34, checking_share: 0.1 },
        work: "positions".into(),
        rate: Some(3000.0),
        bytes_in_per_second: 50_000.0,
        bytes_out_per_second: 900.0,
        machines: vec![machine("attic", "fused", 4), machine("cellar", "plain", 3)],
        accepted: 642,
        late: 5,
        refusals: vec![RefusalCount { reason: "the result is damaged".into(), count: 7 }],
        ..FleetStatus::default()
    };
    let run = root.path().join("a");
    fs::create_dir(run.join("fleet")).unwrap();
    fs::write(run.join("fleet/status.json"), serde_json::to_string(&status).unwrap()).unwrap();
    let (runs, mut view) = (read(&run), View::new(None));
    let text = picture(&runs, &view, 80, 30);
    assert_shows(
        &text,
        &["── Fleet ──", "Unit 17 of 300, learner waits for results (waiting 34 % of the time)"],
    );
    assert_shows(&text, &["as of", "9 of 24 done, 6 open, 8 leased, 1 in check; 5 late", "3000 positions/s"]);
    assert_shows(
        &text,
        &["642 results", "in 50.0 kB/s, out 900 B/s", "attic", "4/4", "cellar", "plain", "1500", "321"],
    );
    assert_shows(&text, &["Refused 7 times: the result is damaged"]);
    press(&mut view, &runs, "t");
    assert_shows(&picture(&runs, &view, 80, 30), &["── Runs ──"]);
}

#[test]
fn every_size_can_be_drawn_and_so_can_runs_without_rows() {
    let root = folder(&[&[1.0, 2.0, 3.0], &[], &[f64::from(f32::MAX)]]);
    fs::write(root.path().join("b/config.toml"), "no settings").unwrap();
    let runs = read(root.path());
    for keys in ["", "t", "tth", "s", "+"] {
        let mut view = View::new(None);
        press(&mut view, &runs, keys);
        for (width, height) in [(1, 1), (2, 3), (5, 2), (10, 5), (1, 40), (40, 1), (300, 3), (200, 60)] {
            picture(&runs, &view, width, height);
        }
    }
    let empty = folder(&[&[]]);
    assert_shows(&picture(&read(empty.path()), &View::new(None), 80, 24), &["test score", "no rows yet"]);
    assert_shows(&picture(&read(empty.path()), &View::new(Some("none".into())), 80, 24), &["none", "–"]);
}
