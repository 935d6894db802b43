//! Tests requests that wait: saves, the numbers that their replies repeat, and runs that replace one which is
//! still to be saved.

use learnery_web::protocol::{Reply, Request};
use serde_json::json;

use crate::test_host::{TestHost, read, save_request, small, table};

fn messages(host: &mut TestHost) -> Vec<Reply> {
    std::iter::from_fn(|| host.take_reply()).collect()
}

#[test]
fn save_can_wait_for_the_end_of_the_unit() {
    let mut host = TestHost::open();
    host.do_step();
    assert!(host.handle(save_request(false, true)).is_none(), "the save did not wait");
    assert_eq!(host.progress().0.units, 0);
    host.finish_unit();
    match host.take_reply() {
        Some(Reply::Saved { units, .. }) => assert_eq!(units, 1),
        other => panic!("{other:?}"),
    }
    // At the end of a unit there is nothing to wait for.
    assert!(matches!(host.handle(save_request(false, true)), Some(Reply::Saved { units: 1, .. })));
}

#[test]
fn replies_have_the_numbers_of_their_requests() {
    let mut host = TestHost::open();
    host.do_step();
    let now = host.now;
    // Both wait for the end of the unit, and neither replaces the other.
    assert!(host.inner.handle(1, save_request(false, true), now).is_none());
    assert!(host.inner.handle(2, save_request(false, true), now).is_none());
    assert!(host.inner.handle(3, Request::Reseed { seed: 9 }, now).is_none());
    host.finish_work();
    let (mut ids, unasked): (Vec<_>, Vec<_>) = host.take_ids().into_iter().partition(Option::is_some);
    ids.sort_unstable();
    assert_eq!(ids, [Some(1), Some(2), Some(3)]);
    assert!(!unasked.is_empty(), "the progress of the unit");

    // A step that a pause ends is answered too, and a step that another one replaces.
    let unit = || Request::Step { unit: true };
    assert!(host.inner.handle(4, unit(), now).is_none());
    assert!(host.inner.handle(5, unit(), now).is_none());
    assert!(matches!(host.inner.handle(6, Request::Pause, now), Some(Reply::Progress { .. })));
    assert_eq!(host.take_ids(), [Some(4), Some(5)]);
    assert!(host.inner.handle(7, unit(), now).is_none());
    host.finish_work();
    assert_eq!(host.take_ids(), [Some(7)]);
}

#[test]
fn numbers_stay_with_requests_that_wait_for_the_next_run() {
    let mut host = TestHost::open();
    host.do_step();
    host.take_ids();
    let now = host.now;
    let start = Request::Start { lab: "control".into(), settings: table(small()), seed: 8 };
    assert!(host.inner.handle(1, save_request(false, false), now).is_none());
    assert!(host.inner.handle(2, start, now).is_none());
    assert!(host.inner.handle(3, Request::Pause, now).is_none());
    assert!(host.inner.handle(4, save_request(false, false), now).is_none());
    host.finish_work();
    let mut ids = host.take_ids();
    ids.retain(Option::is_some);
    assert_eq!(ids, [Some(1), Some(4), Some(2), Some(3)]);
}

#[test]
fn save_in_the_middle_of_a_unit_finishes_it_and_sends_its_row() {
    let mut host = TestHost::open();
    host.do_step();
    assert_eq!(host.save_run().0, 1);
    let (progress, metrics) = read(host.take_reply().expect("progress is due"));
    assert_eq!((progress.units, metrics.units), (1, vec![1]));
}

/// The messages that are due without a new request.
#[test]
fn run_that_is_replaced_in_the_middle_of_a_unit_is_saved_first() {
    let (mut host, mut alone) = (TestHost::open(), TestHost::open());
    for host in [&mut host, &mut alone] {
        host.finish_unit();
        host.do_step();
    }
    host.run(None); // it would go on after the end of the unit
    messages(&mut host);
    assert!(host.handle(save_request(false, false)).is_none());
    let settings = json!({"worlds": 8, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2});
    assert!(host.start(settings).is_none(), "the run was replaced before it was saved");
    // Requests that follow are for the new run.
    assert!(host.handle(Request::Step { unit: true }).is_none());
    host.finish_work();
    let replies = messages(&mut host);
    let [Reply::Saved { units: 2, bytes, .. }, Reply::Opened { run, metrics, .. }, .., last] = &replies[..]
    else {
        panic!("{replies:?}")
    };
    assert!(*bytes == alone.save_run().1, "the save differs from that of a run which nothing replaces");
    assert!(run.config["worlds"] == 8 && metrics.units.is_empty());
    let (progress, metrics) = read(last.clone());
    assert_eq!((progress.units, metrics.units, progress.running), (1, vec![1], false));
}

#[test]
fn two_restarts_while_a_save_waits_are_both_answered_after_it() {
    let mut host = TestHost::open();
    host.finish_unit();
    host.do_step();
    messages(&mut host);
    for _ in 0..2 {
        assert!(host.handle(save_request(false, false)).is_none() && host.start(small()).is_none());
    }
    host.finish_work();
    let mut replies = messages(&mut host);
    replies.retain(|reply| !matches!(reply, Reply::Progress { .. }));
    let is_expected = match &replies[..] {
        // Until the first restart is carried out, saves are of the run that is open.
        [Reply::Saved { units: 2, bytes, .. }, Reply::Saved { units: 2, bytes: again, .. }, rest @ ..] => {
            bytes == again && matches!(rest, [Reply::Opened { .. }, Reply::Opened { .. }])
        }
        _ => false,
    };
    assert!(is_expected, "{replies:?}");
}

#[test]
fn run_that_takes_too_long_to_be_saved_is_replaced_all_the_same() {
    let mut host = TestHost::open();
    host.do_step();
    messages(&mut host);
    assert!(host.handle(save_request(false, false)).is_none() && host.start(small()).is_none());
    host.slice(0.0);
    assert!(
        messages(&mut host).iter().all(|reply| matches!(reply, Reply::Progress { .. })),
        "it was replaced at once"
    );
    host.now += 3000.0;
    host.slice(0.0);
    let replies = messages(&mut host);
    let [Reply::Refused { request, message }, Reply::Opened { progress, .. }] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!((request.as_str(), progress.units, progress.work), ("save", 0, 0));
    assert!(message.contains("before it could be saved"), "{message}");
    assert!(!host.inner.has_work());
}
