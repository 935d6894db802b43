//! What actors and the host tell each other. Any message can be lost, doubled, late or out of order: an actor
//! repeats what is not answered, and no message counts twice.

use std::time::Duration;

use learnery_lab::fleet::{JobId, Reader, Refusal, Version, write_varint};

/// How an actor introduces itself when it joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The actor's version of Learnery.
    pub build: String,
    /// The actor's class of bits, `fused` or `plain`.
    pub bits: String,
}

/// A message from an actor to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromActor {
    /// The actor wants to work for the fleet.
    Join(Hello),
    /// The actor is idle and asks for a job.
    Ask,
    /// The actor needs the weights with this hash.
    Fetch(Version),
    /// A sign of life: the actor is working on this job.
    Heartbeat(JobId),
    /// The result of a job.
    Result(Vec<u8>),
    /// The actor leaves; its job can go to others at once.
    Leave,
    /// The checkpoints of a run under way (a [`Delivery`](crate::sweep::Delivery)), in a sweep.
    Checkpoint(Vec<u8>),
}

/// A message from the host to an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToActor {
    /// The actor has joined.
    Welcome {
        /// How often the actor tells that it is working.
        heartbeat_interval: Duration,
    },
    /// A job to compute.
    Job(Vec<u8>),
    /// The file of the version that the actor asked for.
    Weights(Version, Vec<u8>),
    /// Nothing to do now; ask again later.
    Wait(Duration),
    /// The result of this job arrived.
    Thanks(JobId),
    /// The job is no longer wanted.
    Drop(JobId),
    /// The message of the actor is refused, with the reason and what to do. The actor goes on with a new job.
    Refused(String),
    /// The actor cannot work for this fleet, with the reason and what to do.
    Excluded(String),
    /// The host does not know the actor, because the host was started anew: the actor joins again.
    Unknown,
    /// The run is complete, and the fleet ends.
    Complete,
    /// The checkpoint of this job after this many units (training iterations) has arrived.
    Saved(JobId, u64),
}

/// The longest text in a message, in bytes.
const MAX_TEXT_BYTES: usize = 4096;

impl FromActor {
    /// The message as bytes: a number for the variant, then the fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Join(Hello { build, bits }) => {
                out.push(0);
                write_text(&mut out, build);
                write_text(&mut out, bits);
            }
            Self::Ask => out.push(1),
            Self::Fetch(version) => {
                out.push(2);
                out.extend(version.0);
            }
            Self::Heartbeat(id) => {
                out.push(3);
                write_id(&mut out, *id);
            }
            Self::Result(result) => {
                out.push(4);
                out.extend(result);
            }
            Self::Leave => out.push(5),
            Self::Checkpoint(checkpoint) => {
                out.push(6);
                out.extend(checkpoint);
            }
        }
        out
    }

    /// Reads a message from outside.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(bytes);
        let message = match reader.byte()? {
            0 => Self::Join(Hello { build: read_text(&mut reader)?, bits: read_text(&mut reader)? }),
            1 => Self::Ask,
            2 => Self::Fetch(Version(reader.array()?)),
            3 => Self::Heartbeat(read_id(&mut reader)?),
            4 => return Ok(Self::Result(reader.rest().to_vec())),
            5 => Self::Leave,
            6 => return Ok(Self::Checkpoint(reader.rest().to_vec())),
            _ => return Err(unknown_message()),
        };
        reader.end()?;
        Ok(message)
    }
}

impl ToActor {
    /// The message as bytes: a number for the variant, then the fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Welcome { heartbeat_interval } => {
                out.push(0);
                write_duration(&mut out, *heartbeat_interval);
            }
            Self::Job(job) => {
                out.push(1);
                out.extend(job);
            }
            Self::Weights(version, file) => {
                out.push(2);
                out.extend(version.0);
                out.extend(file);
            }
            Self::Wait(time) => {
                out.push(3);
                write_duration(&mut out, *time);
            }
            Self::Thanks(id) => {
                out.push(4);
                write_id(&mut out, *id);
            }
            Self::Drop(id) => {
                out.push(5);
                write_id(&mut out, *id);
            }
            Self::Refused(reason) => {
                out.push(6);
                write_text(&mut out, reason);
            }
            Self::Excluded(reason) => {
                out.push(7);
                write_text(&mut out, reason);
            }
            Self::Unknown => out.push(8),
            Self::Complete => out.push(9),
            Self::Saved(id, units) => {
                out.push(10);
                write_id(&mut out, *id);
                write_varint(&mut out, *units);
            }
        }
        out
    }

    /// Reads a message from outside.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut reader = Reader::new(bytes);
        let message = match reader.byte()? {
            0 => Self::Welcome { heartbeat_interval: read_duration(&mut reader)? },
            1 => return Ok(Self::Job(reader.rest().to_vec())),
            2 => return Ok(Self::Weights(Version(reader.array()?), reader.rest().to_vec())),
            3 => Self::Wait(read_duration(&mut reader)?),
            4 => Self::Thanks(read_id(&mut reader)?),
            5 => Self::Drop(read_id(&mut reader)?),
            6 => Self::Refused(read_text(&mut reader)?),
            7 => Self::Excluded(read_text(&mut reader)?),
            8 => Self::Unknown,
            9 => Self::Complete,
            10 => Self::Saved(read_id(&mut reader)?, reader.varint()?),
            _ => return Err(unknown_message()),
        };
        reader.end()?;
        Ok(message)
    }
}

fn unknown_message() -> Refusal {
    Refusal::Damaged("it is no message of this version of Learnery".into())
}

/// Writes a text: its length in bytes, then UTF-8. What is longer than [`MAX_TEXT_BYTES`] is cut off, because
/// the receiver would refuse it.
fn write_text(out: &mut Vec<u8>, text: &str) {
    let text = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    write_varint(out, text.len() as u64);
    out.extend(text.as_bytes());
}

fn read_text(reader: &mut Reader) -> Result<String, Refusal> {
    let length = reader.varint_u32()? as usize;
    if length > MAX_TEXT_BYTES {
        return Err(Refusal::Damaged(format!(
            "a text in it has {length} bytes, and at most {MAX_TEXT_BYTES} are possible"
        )));
    }
    let text = reader.bytes(length)?.to_vec();
    let text = String::from_utf8(text).map_err(|_| Refusal::Damaged("a text in it is not UTF-8".into()))?;
    // The text is shown in a terminal, which control characters could change.
    if text.contains(char::is_control) {
        return Err(Refusal::Damaged("a text in it has control characters".into()));
    }
    Ok(text)
}

/// Writes a duration in milliseconds. Durations over 2^32 milliseconds, 49 days, are shortened to that.
fn write_duration(out: &mut Vec<u8>, time: Duration) {
    write_varint(out, time.as_millis().min(u32::MAX.into()) as u64);
}

fn read_duration(reader: &mut Reader) -> Result<Duration, Refusal> {
    Ok(Duration::from_millis(reader.varint_u32()?.into()))
}

fn write_id(out: &mut Vec<u8>, id: JobId) {
    write_varint(out, id.unit);
    write_varint(out, id.index.into());
    out.extend(id.version.0);
}

fn read_id(reader: &mut Reader) -> Result<JobId, Refusal> {
    Ok(JobId { unit: reader.varint()?, index: reader.varint_u32()?, version: Version(reader.array()?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: JobId = JobId { unit: 300, index: 7, version: Version([9; 32]) };

    fn from_actors() -> Vec<FromActor> {
        let hello = Hello { build: "0.1.0 (ä)".into(), bits: "fused".into() };
        let version = Version([3; 32]);
        vec![
            FromActor::Join(hello),
            FromActor::Ask,
            FromActor::Fetch(version),
            FromActor::Heartbeat(ID),
            FromActor::Result(vec![1, 2, 3]),
            FromActor::Leave,
            FromActor::Checkpoint(vec![4, 5]),
        ]
    }

    fn to_actors() -> Vec<ToActor> {
        vec![
            ToActor::Welcome { heartbeat_interval: Duration::from_secs(10) },
            ToActor::Job(vec![5; 9]),
            ToActor::Weights(ID.version, vec![6; 9]),
            ToActor::Wait(Duration::from_millis(1500)),
            ToActor::Thanks(ID),
            ToActor::Drop(ID),
            ToActor::Refused("send it again".into()),
            ToActor::Excluded("install version 1".into()),
            ToActor::Unknown,
            ToActor::Complete,
            ToActor::Saved(ID, 300),
        ]
    }

    #[test]
    fn messages_survive_a_round_trip() {
        for message in from_actors() {
            assert_eq!(FromActor::from_bytes(&message.to_bytes()), Ok(message));
        }
        for message in to_actors() {
            assert_eq!(ToActor::from_bytes(&message.to_bytes()), Ok(message));
        }
        let long = ToActor::Excluded("ä".repeat(MAX_TEXT_BYTES));
        assert!(
            matches!(ToActor::from_bytes(&long.to_bytes()), Ok(ToActor::Excluded(text)) if text.len() == MAX_TEXT_BYTES)
        );
    }

    /// Every message but these tells where it ends, so one that was cut or is longer is refused. A job, a
    /// result, a checkpoint and weights run to the end of their message, and those who read them check them.
    #[test]
    fn damaged_messages_are_refused() {
        let is_closed =
            |message: &&FromActor| !matches!(message, FromActor::Result(_) | FromActor::Checkpoint(_));
        for bytes in from_actors().iter().filter(is_closed).map(FromActor::to_bytes) {
            (0..bytes.len())
                .for_each(|at| assert!(FromActor::from_bytes(&bytes[..at]).is_err(), "{bytes:?}"));
            assert!(FromActor::from_bytes(&[&bytes[..], &[0]].concat()).is_err(), "{bytes:?}");
        }
        let is_closed = |message: &&ToActor| !matches!(message, ToActor::Job(_) | ToActor::Weights(..));
        for bytes in to_actors().iter().filter(is_closed).map(ToActor::to_bytes) {
            (0..bytes.len()).for_each(|at| assert!(ToActor::from_bytes(&bytes[..at]).is_err(), "{bytes:?}"));
            assert!(ToActor::from_bytes(&[&bytes[..], &[0]].concat()).is_err(), "{bytes:?}");
        }
        // An unknown kind, a text that is too long, one that is not UTF-8, and one that would move a
        // terminal's cursor.
        for bytes in [&[99][..], &[6, 0xff, 0xff, 0x7f], &[6, 1, 0xff], &[6, 1, 0x1b]] {
            assert!(ToActor::from_bytes(bytes).is_err(), "{bytes:?}");
        }
    }
}
