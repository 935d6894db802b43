//! Fleets of real processes over a real nats-server on this machine: whatever is killed, paused, doubled or
//! forged, the run has the bytes of `learnery train`. A *unit* is one training iteration, a table is a job.
#![cfg(all(feature = "fleet", unix))]
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../common/mod.rs"]
mod common;
mod fleet;
mod hostile;
mod kills;
mod raw;
mod refusals;
mod rights;
mod sweeps;

use std::io::{BufRead, BufReader};
use std::thread::sleep;
use std::time::Duration;

use common::json_lines;
use fleet::Fleet;
use hostile::{Hostile, forged};
use learnery_fleet::wire::{MAX_PIECE_BYTES, Role};
use learnery_fleet::{FromActor, ToActor};
use learnery_lab::fleet::{JobId, JobResult, Version};
use raw::Raw;
use serde_json::json;

/// Leaves a test out where no server is installed.
macro_rules! needs_server {
    () => {
        if crate::fleet::nats_server().is_none() {
            eprintln!("nats-server is missing; the test is left out");
            return;
        }
    };
}
pub(crate) use needs_server;

#[test]
fn one_actor_gives_the_bytes_of_one_machine_and_can_be_watched() {
    needs_server!();
    let mut fleet = Fleet::serve("--units 6");
    let mut watch = fleet.sandbox.command(&format!("fleet watch --json {}", fleet.link()));
    let mut watch = watch.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(watch.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let status = &json_lines(&line)[0];
    assert_eq!(
        (&status["lab"], &status["unit"], &status["learner"]["state"]),
        (&json!("backgammon"), &json!(0), &json!("no_actors"))
    );
    let monitor = fleet.sandbox.succeed(&format!("watch --once --json {}", fleet.link()));
    let seen = &json_lines(&monitor.out)[0];
    assert_eq!(
        (&seen["lab"], &seen["fleet"]["learner"]["state"]),
        (&json!("backgammon"), &json!("no_actors"))
    );
    let actor = fleet.join(1);
    let err = fleet.end();
    assert!(err.contains("The run is complete after 6 units"), "{err}");
    let seen = &json_lines(&fleet.sandbox.succeed("watch run --once --json").out)[0];
    assert_eq!((&seen["unit"], &seen["fleet"]["lab"]), (&json!(6), &json!("backgammon")));
    let (code, err) = actor.end();
    assert_eq!(code, Some(0), "{err}");
    // Three tables in each of the six units.
    assert!(err.ends_with("The run is complete.\nLeft the fleet after 18 accepted results.\n"), "{err}");
    fleet.assert_same_bytes(6);
    // Nobody reads it any more, so it has ended, or does now.
    fleet::send_signal(watch.id(), "-INT");
    watch.wait().unwrap();
}

#[test]
fn eight_actors_give_the_bytes_of_one_machine_and_a_stopped_run_goes_on() {
    needs_server!();
    let mut fleet = Fleet::serve("");
    let actors = [fleet.join(4), fleet.join(4)];
    fleet.wait("a unit is complete", |status| status.unit >= 5);
    fleet.wait("all threads are listed", |status| {
        status.machines.iter().map(|machine| machine.threads).sum::<u32>() == 8
    });
    let units = fleet.finish();
    for actor in actors {
        let (code, err) = actor.end();
        assert_eq!(code, Some(0), "{err}");
    }
    fleet.assert_same_bytes(units);
    assert!(fleet.server().is_none(), "the server has ended with the run");
}

/// An actor doubles and mixes up its results, cuts them short, announces ten megabytes, and at last forges:
/// the run is unharmed, and only the forgery counts against it.
#[test]
fn hostile_results_change_no_bit() {
    needs_server!();
    let mut fleet = Fleet::serve("--units 8");
    let bits = fleet.bits();
    let mut hostile = Hostile::join(&fleet.link(), 1, &bits);
    // Mixed up, and each three times. The answer to the first is thanks; the others are refused or thanked,
    // never punished.
    let (first, first_result) = hostile.compute();
    let mut other = Hostile::join(&fleet.link(), 2, &bits);
    let (second, second_result) = other.compute();
    assert_ne!(first, second);
    for (id, result) in [(second, &second_result), (first, &first_result)] {
        for _ in 0..3 {
            hostile.send(&FromActor::Result(result.clone()));
            assert_eq!(hostile.receive(), ToActor::Thanks(id));
        }
    }
    // Cut short, or changed on the way.
    for length in [0, 1, 60, first_result.len() - 1] {
        hostile.send(&FromActor::Result(first_result[..length].to_vec()));
        assert!(matches!(hostile.receive(), ToActor::Refused(reason) if reason.contains("damaged")));
    }
    // Ten megabytes are announced, which is more than a message may have. Then three are sent: they may
    // arrive, but no result is so long.
    let mut piece = hostile.pieces(&FromActor::Ask).remove(0);
    // Behind magic, token and number of the message (24 bytes) stands its length; the head has 32 bytes.
    piece[24..28].copy_from_slice(&(10_u32 << 20).to_le_bytes());
    piece.resize(32 + MAX_PIECE_BYTES, 7);
    hostile.publish(true, &piece);
    hostile.send(&FromActor::Result(vec![7; 3 << 20]));
    assert!(matches!(hostile.receive(), ToActor::Refused(reason) if reason.contains("a result has at most")));
    // Pieces without their beginning, no piece at all, and an answer to nothing.
    let pieces = hostile.pieces(&FromActor::Result(vec![7; 3 * MAX_PIECE_BYTES]));
    [2, 1, 1, 0, 2].iter().for_each(|i| hostile.publish(true, &pieces[*i]));
    hostile.publish(false, b"");
    hostile.publish(false, &[0xff; 300]);
    // In the name of another.
    let stolen = hostile.pieces(&FromActor::Result(forged(&first_result))).remove(0);
    let subject = hostile.subjects.result(&other.name.to_string());
    hostile.raw.publish(&subject, "", &stolen);
    fleet.wait("what is no message is counted", |status| {
        let count = |part: &str| {
            let refusals = status.refusals.iter().filter(|refusal| refusal.reason.contains(part));
            refusals.map(|refusal| refusal.count).sum::<u64>()
        };
        count("at most 4194304 are possible") == 1
            && count("no message of this version") >= 1
            && count("in the name of another actor") == 1
    });
    assert!(fleet.status().unwrap().quarantined.is_empty(), "nobody has lied so far");
    // Of other weights, which is how a result looks that comes too late.
    let (id, result) = hostile.compute();
    let body = JobResult::from_bytes(&result).unwrap().body;
    let other_version = JobId { version: Version([9; 32]), ..id };
    hostile.send(&FromActor::Result(JobResult { id: other_version, body }.to_bytes()));
    assert_eq!(hostile.receive(), ToActor::Drop(other_version));
    assert!(fleet.status().unwrap().quarantined.is_empty(), "nobody has lied so far");
    // The forgery.
    let (_, result) = hostile.compute();
    hostile.send(&FromActor::Result(forged(&result)));
    let end = loop {
        match hostile.receive() {
            ToActor::Excluded(reason) => break reason,
            _ => hostile.send(&FromActor::Ask),
        }
    };
    assert!(end.contains("in quarantine"), "{end}");
    let actor = fleet.join(1);
    let err = fleet.end();
    assert!(err.contains(&format!("{} is in quarantine", hostile.name)), "{err}");
    assert_eq!(err.matches("is in quarantine").count(), 1, "{err}");
    assert_eq!(actor.end().0, Some(0));
    fleet.assert_same_bytes(8);
}

/// While the learner is away, an actor sends more results than the server keeps for it: the oldest make room,
/// and the run goes on.
#[test]
fn full_stream_changes_no_bit() {
    needs_server!();
    let mut fleet = Fleet::serve("--units 6");
    let bits = fleet.bits();
    let mut hostile = Hostile::join(&fleet.link(), 1, &bits);
    let (_, result) = hostile.compute();
    let key = fleet.key(Role::Learner);
    let mut reader = Raw::log_in(&fleet.link(), Role::Learner, &key).unwrap();
    let stream = format!("$JS.API.STREAM.INFO.LEARNERY_{}", fleet.link().fleet);
    fleet.learner.take().unwrap().kill();
    let piece = hostile.pieces(&FromActor::Result(result)).remove(0);
    // More than the 1,024 that the stream keeps of an actor.
    (0..1100).for_each(|_| hostile.publish(true, &piece));
    assert_eq!(hostile.raw.flush(), Ok(vec![]));
    let info = reader.request(&stream, b"");
    assert!(info.contains(r#""messages":1024,"#), "{info}");
    fleet.resume(6);
    let actor = fleet.join(1);
    let err = fleet.end();
    assert!(!err.contains("quarantine"), "{err}");
    assert_eq!(actor.end().0, Some(0));
    fleet.assert_same_bytes(6);
}

/// The host waits for an actor that has not left, and tells it again that the run is complete.
#[test]
fn actor_that_missed_the_end_is_told_again() {
    needs_server!();
    let mut fleet = Fleet::serve("--units 2");
    let mut slow = Hostile::join(&fleet.link(), 1, &fleet.bits());
    let actor = fleet.join(1);
    let (code, err) = actor.end();
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("The run is complete."), "{err}");
    // It has missed what all were told.
    slow.send(&FromActor::Ask);
    while slow.receive() != ToActor::Complete {}
    slow.send(&FromActor::Leave);
    fleet.end();
}

/// A folder in the place of the checkpoint makes saving fail, as a full disk does.
#[test]
fn run_of_a_fleet_goes_on_while_it_cannot_be_saved() {
    needs_server!();
    let mut fleet = Fleet::serve("");
    let actor = fleet.join(2);
    fleet.wait("a unit is complete", |status| status.unit >= 1);
    let last = fleet.sandbox.path("run/last.safetensors");
    while std::fs::remove_file(&last).is_err() || std::fs::create_dir(&last).is_err() {
        sleep(Duration::from_millis(5));
    }
    let told = |fleet: &Fleet, sentence: &str| fleet.learner.as_ref().unwrap().err().contains(sentence);
    let problem = "run/last.safetensors cannot be written: it is a folder. The run goes on and tries again.";
    fleet::wait("the host says so", || told(&fleet, problem));
    fleet.wait_for_another_unit();
    std::fs::remove_dir(&last).unwrap();
    fleet::wait("the host says so", || told(&fleet, "The run is saved again."));
    let units = fleet.finish();
    assert_eq!(actor.end().0, Some(0));
    fleet.assert_same_bytes(units);
}

/// The learner stands still longer than an actor waits for an answer.
#[test]
fn paused_learner_changes_no_bit() {
    needs_server!();
    let mut fleet = Fleet::serve("");
    let actor = fleet.join(2);
    fleet.wait("a unit is complete", |status| status.unit >= 2);
    fleet.learner.as_ref().unwrap().signal("-STOP");
    sleep(Duration::from_secs(8));
    fleet.learner.as_ref().unwrap().signal("-CONT");
    fleet.wait_for_another_unit();
    let units = fleet.finish();
    let (code, err) = actor.end();
    assert_eq!(code, Some(0), "{err}");
    fleet.assert_same_bytes(units);
}
