//! What each role may do on the server, and what not.

use learnery_fleet::wire::{ActorName, Role, Subjects, Token};

use crate::fleet::Fleet;
use crate::needs_server;
use crate::raw::Raw;

#[test]
fn every_role_may_do_what_it_needs_and_nothing_else() {
    needs_server!();
    let fleet = Fleet::serve("");
    let link = fleet.link();
    let log_in = |role| Raw::log_in(&link, role, &fleet.key(role)).unwrap();
    let (mut learner, mut actor, mut watch) =
        (log_in(Role::Learner), log_in(Role::Actor), log_in(Role::Watch));
    let subjects = Subjects::new(&link.fleet);
    let (name, other) = (ActorName::new("a", &Token([1; 16]), 0), ActorName::new("b", &Token([2; 16]), 0));
    let (name, other) = (name.to_string(), other.to_string());
    let stream = format!("LEARNERY_{}", link.fleet);

    // Passwords of other roles, and none.
    for (role, key) in [(Role::Learner, &link.key), (Role::Watch, &link.key), (Role::Actor, &String::new())] {
        let refused = Raw::log_in(&link, role, key).err().unwrap_or_default();
        assert!(refused.contains("Authorization Violation"), "{role:?}: {refused}");
    }

    // What actors need.
    assert!(actor.may_publish(&subjects.up(&name), "", b"x"));
    assert!(actor.may_publish(&subjects.result(&name), "", b"x"));
    for subject in [subjects.down(&name), subjects.down_all(), subjects.status()] {
        assert!(actor.may_subscribe(&subject), "{subject}");
    }
    assert!(watch.may_subscribe(&subjects.status()));
    assert!(learner.may_publish(&subjects.down(&name), "", b"x") && learner.may_subscribe(">"));

    // What only the learner may: reading what actors send, writing what they read, and everything of
    // JetStream. With a consumer an actor could have the server write to any subject (`deliver_subject`),
    // here to what another actor reads.
    let consumer = format!(
        r#"{{"stream_name":"{stream}","config":{{"deliver_subject":"{}","deliver_policy":"all","ack_policy":"none"}}}}"#,
        subjects.down(&other)
    );
    let publications = [
        (subjects.down(&other), "x"),
        (subjects.down_all(), "x"),
        (subjects.status(), "{}"),
        (format!("learnery.{}.up", link.fleet), "x"),
        (format!("learnery.{}.result.a.b", link.fleet), "x"),
        ("learnery.00000000.up.x".into(), "x"),
        (format!("$JS.API.CONSUMER.CREATE.{stream}"), &consumer),
        (format!("$JS.API.CONSUMER.DURABLE.CREATE.{stream}.d"), &consumer),
        (format!("$JS.API.CONSUMER.CREATE.{stream}.d.>"), &consumer),
        (format!("$JS.API.STREAM.DELETE.{stream}"), ""),
        (format!("$JS.API.STREAM.PURGE.{stream}"), ""),
        (format!("$JS.API.STREAM.UPDATE.{stream}"), "{}"),
        (format!("$JS.API.STREAM.CREATE.{stream}x"), "{}"),
        (format!("$JS.API.STREAM.MSG.GET.{stream}"), r#"{"seq":1}"#),
        (format!("$JS.API.DIRECT.GET.{stream}"), r#"{"seq":1}"#),
        ("$JS.API.INFO".into(), ""),
        (format!("$JS.ACK.{stream}.d.1.1.1.1.0"), "+ACK"),
        ("$SYS.REQ.SERVER.PING".into(), ""),
        ("_INBOX.test".into(), "x"),
        ("anything".into(), "x"),
    ];
    let subscriptions = [
        ">".into(),
        format!("learnery.{}.>", link.fleet),
        subjects.up("*"),
        subjects.result("*"),
        subjects.result(&other),
        "$JS.>".into(),
        "$JS.API.>".into(),
        "$SYS.>".into(),
        "_INBOX.>".into(),
        "learnery.00000000.down.x".into(),
    ];
    for (role, raw) in [("actor", &mut actor), ("watch", &mut watch)] {
        for (subject, payload) in &publications {
            assert!(!raw.may_publish(subject, "", payload.as_bytes()), "{role} publishes to {subject}");
        }
        for subject in &subscriptions {
            assert!(!raw.may_subscribe(subject), "{role} subscribes to {subject}");
        }
    }
    for subject in [subjects.up(&name), subjects.result(&name)] {
        assert!(!watch.may_publish(&subject, "", b"x"), "watch publishes to {subject}");
    }
    assert!(!watch.may_subscribe(&subjects.down(&name)));

    // A reply subject is the actor's to choose, and acknowledgements go there: so the stream has none. Else
    // the server would delete the stream in the actor's place, or write to another actor.
    learner.messages.clear();
    learner.subscribe(&subjects.down(&other), 5);
    learner.flush().unwrap();
    learner.messages.retain(|(subject, _)| *subject == subjects.down(&other));
    for reply in [format!("$JS.API.STREAM.DELETE.{stream}"), subjects.down(&other)] {
        for subject in [subjects.result(&name), subjects.up(&name)] {
            assert!(actor.may_publish(&subject, &reply, b"x"), "{reply}");
        }
    }
    let info = learner.request(&format!("$JS.API.STREAM.INFO.{stream}"), b"");
    assert!(info.contains(r#""no_ack":true"#) && info.contains(r#""messages":"#), "{info}");
    learner.flush().unwrap();
    assert!(learner.messages.is_empty(), "{:?}", learner.messages);
}
