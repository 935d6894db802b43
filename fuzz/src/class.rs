//! The fuzz target of the server of a class.

use std::time::{Duration, Instant};

use learnery_class::{Class, Offline};

/// What the teacher's page asks all the time.
const STATE: &[u8] = b"GET /class/api/state HTTP/1.1\r\nAuthorization: Bearer teacher\r\n\r\n";
/// A class with a pupil whose token is `pupil`.
fn class() -> Offline {
    let mut class = Class::new("CODE".into(), "teacher".into(), "http://school/".into());
    class.join("Ada", "pupil".into(), Instant::now()).expect("the class is empty");
    Offline::new(class)
}

/// The bytes are HTTP requests to the server of a class, one after the other: heads, bodies, and what the interface
/// makes of them. Each answer has a status, the answers are the same if the bytes arrive in two parts, and whatever was
/// sent, the teacher's page still works.
pub fn class_requests(data: &[u8]) {
    let mut whole = class();
    let (statuses, is_open) = whole.receive(data);
    assert!(statuses.iter().all(|status| (200..600).contains(status)), "{statuses:?}");
    if is_open {
        let (first, second) = data.split_at(data.len() / 2);
        let mut divided = class();
        let (mut answers, _) = divided.receive(first);
        answers.extend(divided.receive(second).0);
        assert_eq!(answers, statuses, "in two parts");
    }
    whole.reconnect(Duration::from_secs(600));
    assert_eq!(whole.receive(STATE), (vec![200], true));
}
