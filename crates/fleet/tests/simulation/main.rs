//! Simulated fleets of 1 to 100 actors: whatever goes wrong, the last checkpoint has the bytes of the run on
//! one machine.

mod mock;
mod sweep;
mod world;

use std::time::Duration;

use learnery_fleet::{Hello, LabRun, Run};
use learnery_lab::Session;
use learnery_lab::fleet::VersionedActor;
use learnery_labs::{LABS, find};
use mock::{COMPUTED, Lie, MockRun, Suspect, policy};
use serde_json::json;
use world::{CHECKER, Chance, Outcome, Trouble, World};

fn hello(_: usize) -> Hello {
    Hello { build: "1".into(), bits: "fused".into() }
}

/// Jobs of a unit (training iteration).
const JOBS: u32 = 6;
/// Parts of a result.
const PARTS: u32 = 8;

/// `seed` decides what goes wrong when; `make` makes the actors. Any seed will do: those of the tests are
/// numbered on.
fn make_world(seed: u64, trouble: Trouble, make: fn(usize) -> Suspect) -> World<MockRun, Suspect> {
    World {
        trouble,
        chance: Chance(seed),
        policy: policy(),
        make,
        hello,
        new_run: Box::new(|| MockRun::new(JOBS, PARTS)),
    }
}

fn honest(i: usize) -> Suspect {
    if i == CHECKER { Suspect::checker() } else { Suspect::new(None) }
}

/// Everything that can go wrong, except that nobody lies. Numbers are millionths, see [`Trouble`].
fn much_trouble() -> Trouble {
    Trouble {
        lost: 50_000,
        doubled: 50_000,
        changed: 10_000,
        delay: Duration::from_secs(3),
        host_is_killed: 400,
        actor_is_killed: 400,
        actor_sleeps: 200,
        network_is_down_at: Some(Duration::from_secs(200)),
        ..Trouble::default()
    }
}

fn assert_unharmed(outcome: &Outcome, units: u64) {
    assert!(
        outcome.file == MockRun::alone(JOBS, PARTS, units),
        "another state than on one machine: {outcome:?}"
    );
}

#[test]
fn one_actor_and_eight_compute_the_state_of_one_machine() {
    let one = make_world(1, Trouble::default(), honest).run(1, 12);
    assert_unharmed(&one, 12);
    let eight = make_world(2, Trouble::default(), honest).run(8, 12);
    assert_unharmed(&eight, 12);
    assert!(eight.ended.is_empty() && eight.quarantined.is_empty());
    assert!(one.file == eight.file);
}

#[test]
fn losses_delays_kills_and_sleeping_machines_change_no_bit() {
    let (mut host_kills, mut actor_kills) = (0, 0);
    for (seed, actors) in [(3, 1), (4, 8), (5, 8), (6, 30)] {
        let outcome = make_world(seed, much_trouble(), honest).run(actors, 40);
        assert_unharmed(&outcome, 40);
        // Nobody honest is suspected, whatever the network does.
        assert_eq!((&outcome.quarantined[..], &outcome.ended[..]), (&[][..], &[][..]));
        host_kills += outcome.host_kills;
        actor_kills += outcome.actor_kills;
    }
    assert!(host_kills > 3 && actor_kills > 10, "{host_kills} {actor_kills}");
}

#[test]
fn hundred_actors_change_no_bit() {
    let mut world =
        make_world(7, Trouble { lost: 20_000, delay: Duration::from_secs(1), ..much_trouble() }, honest);
    world.new_run = Box::new(|| MockRun::new(120, PARTS));
    let outcome = world.run(100, 20);
    assert!(outcome.file == MockRun::alone(120, PARTS, 20));
    assert!(outcome.quarantined.is_empty());
}

/// A host that does not answer for five minutes, while messages pile up and leases run out.
#[test]
fn paused_host_changes_no_bit() {
    let pause = Trouble { host_pauses_at: Some(Duration::from_secs(60)), ..Trouble::default() };
    let outcome = make_world(18, pause, honest).run(8, 20);
    assert_unharmed(&outcome, 20);
    assert!(outcome.ended.is_empty() && outcome.time > Duration::from_secs(360));
}

/// The host is killed late, without a checkpoint since the beginning. With a buffer nothing is computed twice
/// but what was under way; without one, everything.
#[test]
fn results_in_a_buffer_are_not_computed_again_after_a_kill() {
    let computed = |has_buffer| {
        COMPUTED.set(0);
        let killed_at = Some(Duration::from_secs(150));
        let mut world = make_world(
            19,
            Trouble { host_is_killed_at: killed_at, has_buffer, ..Trouble::default() },
            honest,
        );
        world.policy.save_every = 1000;
        world.policy.max_copies = 1;
        let outcome = world.run(4, 40);
        assert_unharmed(&outcome, 40);
        assert_eq!(outcome.host_kills, 1);
        COMPUTED.get()
    };
    let (with, without) = (computed(true), computed(false));
    let jobs = u64::from(JOBS) * 40;
    // With a buffer, less than a quarter was under way when the host was killed.
    assert!((jobs..jobs * 5 / 4).contains(&with), "{with} of {jobs} jobs");
    assert!(without > with + jobs / 4, "{without} without, {with} with a buffer");
}

/// Liars in every result or against the rules are found at once; one that was honest for a while takes its
/// results since the last checkpoint with it, and the run goes back.
#[test]
fn liars_are_found_and_the_run_goes_on_unharmed() {
    fn make(i: usize) -> Suspect {
        Suspect::new(match i {
            1 => Some(Lie::Everywhere),
            3 => Some(Lie::AgainstTheRules),
            4 | 5 => Some(Lie::After(5)),
            _ => None,
        })
    }
    let mut went_back = 0;
    for seed in [8, 9, 10] {
        for trouble in [Trouble::default(), Trouble { actor_is_killed: 0, ..much_trouble() }] {
            let mut world = make_world(seed, trouble, make);
            // So many jobs that slow machines have results too.
            world.new_run = Box::new(|| MockRun::new(40, PARTS));
            let outcome = world.run(9, 30);
            assert!(outcome.file == MockRun::alone(40, PARTS, 30), "{outcome:?}");
            // A machine that sleeps for long may not have lied yet.
            let liars = ["actor 1", "actor 3", "actor 4", "actor 5"];
            assert!(outcome.quarantined.iter().all(|actor| liars.contains(&&actor[..])), "{outcome:?}");
            assert!(outcome.quarantined.len() == 4 || trouble.actor_sleeps > 0, "{outcome:?}");
            went_back += outcome.went_back.len();
        }
    }
    assert!(went_back > 0, "no liar had results in an earlier unit");
}

/// A lie in one of eight parts is found after eight results on average. If that is before the next
/// checkpoint, nothing of it stays.
#[test]
fn small_lies_are_found_by_random_checks() {
    fn make(i: usize) -> Suspect {
        Suspect::new((i == 2).then_some(Lie::InOnePart))
    }
    for seed in 11..15 {
        let mut world = make_world(seed, Trouble::default(), make);
        world.policy.save_every = 1000;
        let outcome = world.run(4, 60);
        assert_unharmed(&outcome, 60);
        assert_eq!(outcome.quarantined, ["actor 2"]);
    }
}

/// Where everything is computed again, no lie stays at all, however small.
#[test]
fn checking_everything_believes_nobody() {
    fn make(i: usize) -> Suspect {
        Suspect::new([1, 3, 5].contains(&i).then_some(Lie::InOnePart))
    }
    let mut world = make_world(15, much_trouble(), make);
    world.policy.check_all = true;
    let outcome = world.run(6, 20);
    assert_unharmed(&outcome, 20);
    assert_eq!(outcome.quarantined, ["actor 1", "actor 3", "actor 5"]);
    assert!(outcome.went_back.is_empty(), "nothing that was taken is doubtful");
}

#[test]
fn other_builds_and_other_bits_are_told_what_to_do() {
    let mut world = make_world(16, Trouble::default(), honest);
    world.hello = |i| match i {
        1 => Hello { build: "0.9".into(), ..hello(i) },
        2 => Hello { bits: "plain".into(), ..hello(i) },
        _ => hello(i),
    };
    let outcome = world.run(4, 12);
    assert_unharmed(&outcome, 12);
    let reasons: Vec<&str> = outcome.ended.iter().map(|(_, reason)| &reason[..]).collect();
    assert_eq!(outcome.ended.len(), 2);
    assert!(reasons[0].contains("install version 1 and join again"), "{reasons:?}");
    assert!(reasons[1].contains("computes fused bits, and this machine plain"), "{reasons:?}");
}

/// AlphaZero itself: eight actors, kills and losses, and the checkpoint of `Session` on one machine.
#[test]
fn backgammon_has_the_bytes_of_one_machine() {
    fn session() -> Session {
        let settings = json!({
            "learner": "alphazero", "games": 130, "horizon": 60, "batch": 64, "reuse": 0.2, "replay": 4000,
            "simulations": 2, "lambda": 0.8, "eval_every": 0
        });
        Session::start(*find("backgammon").expect("a lab"), &settings, 7).expect("good settings")
    }
    let units = 3;
    let mut alone = session();
    (0..units).for_each(|_| _ = alone.advance_unit());
    let world = World {
        trouble: Trouble { network_is_down_at: None, host_is_killed: 4000, ..much_trouble() },
        chance: Chance(17),
        policy: policy(),
        make: |_| VersionedActor::new(LABS),
        hello,
        new_run: Box::new(|| LabRun::new(session()).expect("AlphaZero can be shared")),
    };
    let outcome = world.run(8, units);
    assert!(outcome.file == alone.save().to_bytes(), "another checkpoint than on one machine");
    assert!(outcome.quarantined.is_empty());
    let mut other = LabRun::new(session()).expect("AlphaZero can be shared");
    other.restore(&outcome.file).expect("a checkpoint");
    assert_eq!(other.session().units(), units);
}
