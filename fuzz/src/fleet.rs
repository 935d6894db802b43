//! The targets for what a fleet receives from outside.

use learnery_fleet::sweep::{Delivery, Order};
use learnery_fleet::wire::{ActorName, Assembler, Link, MAX_UP_BYTES, read_down, read_up};
use learnery_fleet::{FromActor, ToActor};
use learnery_lab::fleet::{Job, JobResult};

use crate::assert_one_line;

/// The bytes are a message between an actor and its host, a job, a result, an order of a sweep or its
/// delivery, a link, a name.
pub fn fleet_messages(data: &[u8]) {
    // Every number has one form only, so what was read has the bytes that are written.
    match FromActor::from_bytes(data) {
        Ok(message) => assert_eq!(message.to_bytes(), data),
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    match ToActor::from_bytes(data) {
        Ok(message) => assert_eq!(message.to_bytes(), data),
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    match Job::from_bytes(data) {
        Ok(job) => assert_eq!(job.to_bytes(), data),
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    match JobResult::from_bytes(data) {
        Ok(result) => assert_eq!(result.to_bytes(), data),
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    match Delivery::from_bytes(data) {
        Ok(delivery) => assert_eq!(Delivery::from_bytes(&delivery.to_bytes()), Ok(delivery)),
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    match Order::from_bytes(data) {
        // JSON has many forms of the same.
        Ok((order, checkpoint)) => {
            assert_eq!(Order::from_bytes(&order.to_bytes(checkpoint)), Ok((order, checkpoint)));
        }
        Err(refusal) => assert_one_line(&refusal.to_string()),
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    match text.parse::<Link>() {
        Ok(link) => assert_eq!(link.to_string().parse(), Ok(link)),
        Err(sentence) => assert_one_line(&sentence),
    }
    if let Some(name) = ActorName::parse(text) {
        assert_eq!(name.to_string(), text);
    }
}

/// The bytes are pieces of messages in the order of their arrival, each behind its length in two bytes.
pub fn fleet_pieces(data: &[u8]) {
    let (mut up, mut down) = (Assembler::default(), Assembler::default());
    let mut rest = data;
    let mut arrived = 0;
    while let Some((length, behind)) = rest.split_first_chunk::<2>() {
        let length = usize::from(u16::from_le_bytes(*length)).min(behind.len());
        let (piece, next) = behind.split_at(length);
        (rest, arrived) = (next, arrived + length);
        let whole = match (read_up(piece, MAX_UP_BYTES), read_down(piece)) {
            (Ok(piece), _) => up.add(piece.piece),
            (_, Ok(piece)) => down.add(piece),
            (Err(refusal), Err(_)) => {
                assert_one_line(&refusal.to_string());
                None
            }
        };
        // Nothing comes out that has not come in, and nothing that was only announced is kept.
        assert!(whole.map_or(0, |whole| whole.len()) + up.waiting_bytes() + down.waiting_bytes() <= arrived);
    }
}
