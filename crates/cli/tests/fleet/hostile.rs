//! An actor whose every byte a test decides.

use std::thread::sleep;
use std::time::Duration;

use learnery_fleet::wire::{ActorName, Assembler, Link, Role, Subjects, Token, cut_up, read_down};
use learnery_fleet::{FromActor, Hello, ToActor};
use learnery_lab::Budget;
use learnery_lab::fleet::{Job, JobId, JobResult, VersionedActor};
use learnery_labs::LABS;

use crate::raw::Raw;

/// An actor that computes well, and sends what it is told to.
pub struct Hostile {
    pub raw: Raw,
    pub subjects: Subjects,
    pub token: Token,
    pub name: ActorName,
    actor: VersionedActor,
    serial: u32,
    assembler: Assembler,
}

impl Hostile {
    pub fn join(link: &Link, token: u8, bits: &str) -> Self {
        let token = Token([token; 16]);
        let name = ActorName::new("hostile", &token, 0);
        let raw = Raw::log_in(link, Role::Actor, &link.key).unwrap();
        let (actor, assembler) = (VersionedActor::new(LABS), Assembler::default());
        let mut hostile =
            Self { raw, subjects: Subjects::new(&link.fleet), token, name, actor, serial: 0, assembler };
        hostile.raw.subscribe(&hostile.subjects.down(&hostile.name.to_string()), 1);
        let hello = Hello { build: env!("CARGO_PKG_VERSION").into(), bits: bits.into() };
        hostile.send(&FromActor::Join(hello));
        assert!(matches!(hostile.receive(), ToActor::Welcome { .. }));
        hostile
    }

    /// The pieces of a message.
    pub fn pieces(&mut self, message: &FromActor) -> Vec<Vec<u8>> {
        self.serial += 1;
        cut_up(&self.token, self.serial, &message.to_bytes()).collect()
    }

    /// Publishes a piece where it belongs.
    pub fn publish(&mut self, is_result: bool, piece: &[u8]) {
        let name = self.name.to_string();
        let subject = if is_result { self.subjects.result(&name) } else { self.subjects.up(&name) };
        self.raw.publish(&subject, "", piece);
    }

    pub fn send(&mut self, message: &FromActor) {
        for piece in self.pieces(message) {
            self.publish(matches!(message, FromActor::Result(_)), &piece);
        }
        assert_eq!(self.raw.flush(), Ok(vec![]));
    }

    /// The next message of the host.
    pub fn receive(&mut self) -> ToActor {
        // For a minute at least.
        for _ in 0..6000 {
            assert_eq!(self.raw.flush(), Ok(vec![]));
            while !self.raw.messages.is_empty() {
                let (_, bytes) = self.raw.messages.remove(0);
                if let Some(whole) = self.assembler.add(read_down(&bytes).unwrap()) {
                    return ToActor::from_bytes(&whole).unwrap();
                }
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the host does not answer")
    }

    /// Asks for a job and computes it.
    pub fn compute(&mut self) -> (JobId, Vec<u8>) {
        let job = loop {
            self.send(&FromActor::Ask);
            match self.receive() {
                ToActor::Job(job) => break job,
                ToActor::Wait(_) => sleep(Duration::from_millis(50)),
                other => panic!("{other:?}"),
            }
        };
        let id = Job::from_bytes(&job).unwrap().id;
        if self.actor.version() != Some(id.version) {
            self.send(&FromActor::Fetch(id.version));
            match self.receive() {
                ToActor::Weights(version, file) => self.actor.load(version, &file).unwrap(),
                other => panic!("{other:?}"),
            }
        }
        self.actor.begin(&job).unwrap();
        (id, self.actor.advance(&mut Budget::unlimited()).unwrap())
    }
}

/// The same result with another first roll, and a checksum that fits.
pub fn forged(result: &[u8]) -> Vec<u8> {
    let JobResult { id, body } = JobResult::from_bytes(result).unwrap();
    let mut body = body.to_vec();
    // Behind the length of the first game, a varint of one byte or two.
    let roll = if body[0] < 0x80 { 1 } else { 2 };
    body[roll] ^= 1;
    JobResult { id, body: &body }.to_bytes()
}
