//! Kills with signal 9: the server, the learner, both, actors.

use std::time::Instant;

use crate::fleet::{Fleet, send_signal};
use crate::needs_server;

/// Units of a run that is killed often, and of the long one.
const UNITS: u64 = 40;
const LONG: u64 = 300;

/// Units that take long enough to be interrupted.
const SLOW: &str = "--set learner=alphazero --set games=130 --set horizon=24 --set batch=64 --set reuse=0.2 --set replay=4000 \
                    --set simulations=4 --set lambda=0.8 --set eval_every=0 --seed 7";

fn kill_everything_in_turn(units: u64) {
    let mut fleet = Fleet::serve_with(SLOW, &format!("--units {units}"));
    let mut actors = vec![fleet.join(1), fleet.join(2)];
    let mut recoveries = Vec::new();
    let step = units / 12;
    for round in 1..=8_u64 {
        let unit = round * step;
        fleet.wait("the run goes on", |status| status.unit >= unit);
        let before = fleet.status().unwrap().unit;
        let what = match round % 4 {
            1 => "the server",
            2 => "the learner",
            3 => "the server and the learner",
            _ => "an actor",
        };
        if what == "an actor" {
            actors.remove(0).kill();
            actors.push(fleet.join(1));
        }
        if what.contains("server") {
            send_signal(fleet.server().unwrap(), "-9");
        }
        let begin = Instant::now();
        if what.contains("learner") {
            fleet.learner.take().unwrap().kill();
            fleet.resume(units);
        }
        // A status of before the kill says nothing.
        let killed_at = fleet.status().map_or(0.0, |status| status.time);
        fleet.wait("another unit is complete", |status| status.time > killed_at && status.unit > before);
        recoveries.push(format!("{what}: {:.1} s", begin.elapsed().as_secs_f64()));
    }
    fleet.end();
    for actor in actors {
        let (code, err) = actor.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(!err.contains("quarantine"), "{err}");
    }
    fleet.assert_same_bytes_with(SLOW, units);
    eprintln!("from a kill to the next unit that is new: {}", recoveries.join(", "));
}

#[test]
fn killed_servers_learners_and_actors_change_no_bit() {
    needs_server!();
    kill_everything_in_turn(UNITS);
}

#[test]
#[ignore = "takes minutes; it also prints how long recoveries take"]
fn killed_servers_learners_and_actors_change_no_bit_in_a_long_run() {
    needs_server!();
    kill_everything_in_turn(LONG);
}
