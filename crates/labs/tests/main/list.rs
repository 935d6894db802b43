//! Tests the list of labs. Each lab is tested in its own crate.

use learnery_labs::{LABS, find};

#[test]
fn lab_ids_are_unique_and_can_be_found() {
    for entry in LABS {
        let same = LABS.iter().filter(|other| other.about.id == entry.about.id);
        assert_eq!(same.count(), 1);
        assert!(find(entry.about.id).is_ok());
    }
}

#[test]
fn unknown_lab_is_rejected_with_the_list_of_known_labs() {
    let sentence = find("nonsense").err().map(|e| e.to_string());
    assert!(sentence.is_some_and(|s| s.contains("no lab `nonsense`") && s.contains("control")));
}

#[test]
fn checkpoint_of_another_lab_is_rejected() {
    let session =
        |id: &str| learnery_lab::Session::start(*find(id).expect("listed"), &serde_json::json!({}), 0);
    let checkpoint = session("control").expect("defaults are good").save();
    for entry in LABS.iter().filter(|entry| entry.about.id != "control") {
        let sentence = learnery_lab::Session::resume(*entry, &checkpoint).err().map(|e| e.to_string());
        assert!(sentence.is_some_and(|s| s.contains("belongs to the lab `control`")));
    }
}
