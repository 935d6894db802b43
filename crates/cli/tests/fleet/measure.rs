//! Figures of a fleet on this machine, for docs/results.md. Run them alone, on a quiet machine, with a release build's program:
//! `cargo test --release -p learnery-cli --no-default-features --features fleet --test fleet -- --ignored --nocapture measure`.

use std::process::Command;
use std::time::Instant;

use crate::fleet::Fleet;
use crate::needs_server;

/// The preset that fleets are made for.
const TOURNAMENT: &str = "--preset tournament --set eval_every=0 --seed 7";
const UNITS: u64 = 6;

/// Seconds of a run with so many threads on one machine.
fn alone(fleet: &Fleet, threads: u16) -> f64 {
    let begin = Instant::now();
    fleet.sandbox.succeed(&format!(
        "train backgammon {TOURNAMENT} --threads {threads} --units {UNITS} --out alone-{threads}"
    ));
    begin.elapsed().as_secs_f64()
}

fn load() -> String {
    let output = Command::new("uptime").output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A fleet of one-threaded actors and a learner with one thread, against one process with as many threads as there are actors.
#[test]
#[ignore = "measures; it says nothing on a busy machine"]
fn measure_rate_against_one_process() {
    needs_server!();
    for actors in [1, 2] {
        let before = load();
        let mut fleet = Fleet::serve_with(TOURNAMENT, &format!("--units {UNITS}"));
        let begin = Instant::now();
        let actors: Vec<_> = (0..actors).map(|_| fleet.join(1)).collect();
        let mut last = None;
        while fleet.learner.as_mut().unwrap().child.try_wait().unwrap().is_none() {
            last = fleet.status().or(last);
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        let seconds = begin.elapsed().as_secs_f64();
        fleet.end();
        let count = actors.len();
        actors.into_iter().for_each(|actor| assert_eq!(actor.end().0, Some(0)));
        let alone = alone(&fleet, count as u16);
        let last = last.unwrap();
        eprintln!(
            "{count} one-threaded actors: {seconds:.1} s for {UNITS} units, one process on {count} threads {alone:.1} s: {:.2} of its \
             rate; the learner waited {:.0} % of the time, checks took {:.1} % of a core; {:.3} MB/s in, {:.3} MB/s out; {} results \
             late, {} refusals; load before: {before}",
            alone / seconds,
            100.0 * last.learner.waiting_share,
            100.0 * last.learner.checking_share,
            last.bytes_in_per_second / 1e6,
            last.bytes_out_per_second / 1e6,
            last.late,
            last.refusals.iter().map(|refusal| refusal.count).sum::<u64>(),
        );
    }
}
