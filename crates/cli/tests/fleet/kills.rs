//! Kills with signal 9: the server, the learner, both, actors.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::fleet::{Fleet, Process, send_signal};
use crate::needs_server;

/// Units that take some tenth of a second.
const SLOW: &str = "--set learner=alphazero --set games=130 --set horizon=24 --set batch=64 --set reuse=0.2 --set replay=4000 \
                    --set simulations=4 --set lambda=0.8 --set eval_every=0 --seed 7";

/// Ends the run after the kills, and compares it with one on one machine.
fn finish(mut fleet: Fleet, actors: Vec<Process>) {
    let units = fleet.finish();
    for actor in actors {
        let (code, err) = actor.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(!err.contains("quarantine"), "{err}");
    }
    fleet.assert_same_bytes_with(SLOW, units);
    eprintln!("{units} units: the same bytes");
}

fn kill_everything_in_turn(rounds: usize) {
    let mut fleet = Fleet::serve_with(SLOW, "");
    let mut actors = vec![fleet.join(1), fleet.join(2)];
    let mut recoveries = Vec::new();
    for round in 0..rounds {
        fleet.wait_for_another_unit();
        let what = ["the server", "the learner", "the server and the learner", "an actor"][round % 4];
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
            fleet.resume_without_end();
        }
        fleet.wait_for_another_unit();
        recoveries.push(format!("{what}: {:.1} s", begin.elapsed().as_secs_f64()));
    }
    finish(fleet, actors);
    eprintln!("from a kill to the next status with a new unit: {}", recoveries.join(", "));
}

#[test]
fn killed_servers_learners_and_actors_change_no_bit() {
    needs_server!();
    kill_everything_in_turn(4);
}

#[test]
#[ignore = "takes minutes; it also prints how long recoveries take"]
fn killed_servers_learners_and_actors_change_no_bit_in_a_long_run() {
    needs_server!();
    kill_everything_in_turn(20);
}

/// Eight actors, of which one is killed every second or two, or the server, or the learner. `LEARNERY_SEED`
/// chooses what and when, and `LEARNERY_KILLS` how often.
#[test]
#[ignore = "takes minutes"]
fn random_kills_among_eight_actors_change_no_bit() {
    needs_server!();
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let seed = number("LEARNERY_SEED").unwrap_or(1);
    let mut random = seed;
    // A linear congruential generator with the constants of Knuth's MMIX. Its high bits are the better ones.
    let mut below = move |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    let mut fleet = Fleet::serve_with(SLOW, "");
    let mut actors: Vec<_> = (0..8).map(|_| fleet.join(1)).collect();
    let mut kills = [0; 3];
    for _ in 0..number("LEARNERY_KILLS").unwrap_or(40) {
        sleep(Duration::from_millis(500 + below(2000)));
        // 0 is an actor, 1 the server, 2 the learner; an actor is the most likely.
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
                fleet.resume_without_end();
            }
        }
    }
    fleet.wait_for_another_unit();
    finish(fleet, actors);
    let [of_actors, of_servers, of_learners] = kills;
    eprintln!("seed {seed}: killed {of_actors} actors, {of_servers} servers, {of_learners} learners");
}
