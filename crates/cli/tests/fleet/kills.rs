//! Kills with signal 9: the server, the learner, both, actors.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::fleet::{Fleet, send_signal};
use crate::needs_server;

/// Units of a run that is killed often, and of the long ones.
const UNITS: u64 = 40;
const LONG: u64 = 300;
const RANDOM: u64 = 100;

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

/// Eight actors, of which one is killed every second or two, or the server, or the learner. LEARNERY_SEED chooses what and when.
#[test]
#[ignore = "takes minutes"]
fn random_kills_among_eight_actors_change_no_bit() {
    needs_server!();
    let seed: u64 = std::env::var("LEARNERY_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut random = seed;
    // Knuth's MMIX.
    let mut below = move |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    let mut fleet = Fleet::serve_with(SLOW, &format!("--units {RANDOM}"));
    let mut actors: Vec<_> = (0..8).map(|_| fleet.join(1)).collect();
    let mut kills = [0; 3];
    loop {
        sleep(Duration::from_millis(500 + below(2000)));
        let has_ended = fleet.learner.as_mut().unwrap().child.try_wait().unwrap().is_some();
        // The last units are left alone, so that the end is not killed.
        if has_ended || fleet.status().is_some_and(|status| status.unit + 5 >= RANDOM) {
            break;
        }
        let what = [0, 0, 0, 1, 2][below(5) as usize];
        kills[what] += 1;
        match what {
            0 => {
                actors.remove(below(8) as usize).kill();
                actors.push(fleet.join(1));
            }
            1 => send_signal(fleet.server().unwrap(), "-9"),
            _ => {
                fleet.learner.take().unwrap().kill();
                fleet.resume(RANDOM);
            }
        }
    }
    fleet.end();
    actors.into_iter().for_each(|actor| assert_eq!(actor.end().0, Some(0)));
    fleet.assert_same_bytes_with(SLOW, RANDOM);
    let [of_actors, of_servers, of_learners] = kills;
    eprintln!(
        "seed {seed}: killed {of_actors} actors, {of_servers} servers, {of_learners} learners: the same bytes"
    );
}
