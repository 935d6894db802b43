//! The list of labs as a whole. What each lab promises is tested in its own crate (`tests/contract.rs`).

use learnery_labs::{LABS, find};

#[test]
fn ids_are_unique_and_found() {
    for entry in LABS {
        let same = LABS.iter().filter(|other| other.about.id == entry.about.id);
        assert_eq!(same.count(), 1);
        assert!(find(entry.about.id).is_ok());
    }
}

#[test]
fn unknown_lab_is_refused_with_the_known_ones() {
    let sentence = find("nonsense").err().map(|e| e.to_string());
    assert!(sentence.is_some_and(|s| s.contains("no lab `nonsense`") && s.contains("control")));
}

#[test]
fn checkpoint_of_another_lab_is_refused() {
    let session =
        |id: &str| learnery_lab::Session::start(*find(id).expect("listed"), &serde_json::json!({}), 0);
    let checkpoint = session("control").expect("defaults are good").save();
    for entry in LABS.iter().filter(|entry| entry.about.id != "control") {
        let sentence = learnery_lab::Session::resume(*entry, &checkpoint).err().map(|e| e.to_string());
        assert!(sentence.is_some_and(|s| s.contains("belongs to the lab `control`")));
    }
}
