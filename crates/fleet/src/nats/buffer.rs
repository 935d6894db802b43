//! The stream (of JetStream, the storage of nats-server) in which the server keeps results while the learner
//! is away. It is a buffer: whatever it loses is computed again.

use async_nats::Client;
use async_nats::jetstream::{self, stream};
use bytes::Bytes;
use futures_util::{StreamExt, stream as futures_stream};

use crate::wire::Subjects;

/// The most bytes of results that the stream keeps. The oldest make room for new ones.
const MAX_STREAM_BYTES: i64 = 768 << 20;
/// The most results of one actor that the stream keeps.
const MAX_RESULTS_PER_ACTOR: i64 = 1024;

/// How many messages are requested from the stream at the same time.
const MAX_PARALLEL_READS: usize = 16;

/// The stream of a fleet.
#[derive(Clone)]
pub struct Buffer {
    stream: stream::Stream,
}

impl Buffer {
    /// Opens the fleet's stream, which is made if there is none.
    pub async fn open(client: &Client, fleet: &str) -> Result<Self, String> {
        let config = stream::Config {
            name: format!("LEARNERY_{fleet}"),
            subjects: vec![Subjects::new(fleet).result("*")],
            storage: stream::StorageType::File,
            discard: stream::DiscardPolicy::Old,
            max_bytes: MAX_STREAM_BYTES,
            max_messages_per_subject: MAX_RESULTS_PER_ACTOR,
            // An acknowledgement goes to the reply subject of a message, which an actor can choose: it would
            // be written with the server's rights, where the actor has none.
            no_ack: true,
            ..stream::Config::default()
        };
        let opened = jetstream::new(client.clone()).get_or_create_stream(config).await;
        Ok(Self { stream: opened.map_err(|e| e.to_string())? })
    }

    /// The messages that are kept, the oldest first, each with its subject.
    pub async fn messages(&self) -> Result<Vec<(String, Bytes)>, String> {
        let state = self.stream.get_info().await.map_err(|e| e.to_string())?.state;
        if state.messages == 0 {
            return Ok(vec![]);
        }
        // Numbers between the first and the last can be missing, because their messages made room for others
        // of the same actor. Their errors are left out.
        let read = futures_stream::iter(state.first_sequence..=state.last_sequence)
            .map(|number| self.stream.get_raw_message(number))
            .buffered(MAX_PARALLEL_READS)
            .filter_map(async |message| message.ok())
            .map(|message| (message.subject.to_string(), message.payload))
            .collect::<Vec<_>>();
        Ok(read.await)
    }

    /// Forgets all results, because a checkpoint has them.
    pub async fn purge(&self) -> Result<(), String> {
        // How many messages were purged does not matter.
        self.stream.purge().await.map(drop).map_err(|e| e.to_string())
    }
}
