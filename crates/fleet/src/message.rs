//! What actors and the host tell each other. Any message can be lost, doubled, late or out of order: an actor
//! repeats what is not answered, and no message counts twice.

use std::time::Duration;

use learnery_lab::fleet::{JobId, Reader, Refusal, Version, write_varint};

/// What an actor says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Its version of Learnery.
    pub build: String,
    /// Its class of bits, `fused` or `plain`.
    pub bits: String,
}

/// From an actor to the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromActor {
    /// It wants to work for the fleet.
    Join(Hello),
    /// It is idle.
    Ask,
    /// It needs the file of a version.
    Fetch(Version),
    /// It is working on a job.
    Beat(JobId),
    /// It has computed a job.
    Result(Vec<u8>),
    /// It leaves; what it was working on can go to others at once.
    Leave,
    /// What its job has come to so far, in a sweep.
    Checkpoint(Vec<u8>),
}

/// From the host to an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToActor {
    Welcome {
        /// How often it tells that it is working.
        beat: Duration,
    },
    /// A job to compute.
    Job(Vec<u8>),
    /// The file of the version that it asked for.
    Weights(Version, Vec<u8>),
    /// Nothing to do now; ask again later.
    Wait(Duration),
    /// The result of this job arrived.
    Thanks(JobId),
    /// The job is no longer wanted.
    Drop(JobId),
    /// What it sent is refused, with the reason and what to do. It goes on, with a new job.
    Refused(String),
    /// It cannot work for this fleet, with the reason and what to do.
    End(String),
    /// The host does not know it, because the host was started anew: it joins again.
    Unknown,
    /// The run is complete, and the fleet ends.
    Complete,
    /// The checkpoint of this job after so many units has arrived.
    Saved(JobId, u64),
}

/// The longest text in a message.
const MAX_TEXT: usize = 4096;

impl FromActor {
    /// The message as bytes: a digit that says which, and what it holds.
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
            Self::Beat(id) => {
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
            3 => Self::Beat(read_id(&mut reader)?),
            4 => return Ok(Self::Result(reader.rest().to_vec())),
            5 => Self::Leave,
            6 => return Ok(Self::Checkpoint(reader.rest().to_vec())),
            _ => return Err(unknown()),
        };
        reader.end()?;
        Ok(message)
    }
}

impl ToActor {
    /// The message as bytes: a digit that says which, and what it holds.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Welcome { beat } => {
                out.push(0);
                write_duration(&mut out, *beat);
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
            Self::End(reason) => {
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
            0 => Self::Welcome { beat: read_duration(&mut reader)? },
            1 => return Ok(Self::Job(reader.rest().to_vec())),
            2 => return Ok(Self::Weights(Version(reader.array()?), reader.rest().to_vec())),
            3 => Self::Wait(read_duration(&mut reader)?),
            4 => Self::Thanks(read_id(&mut reader)?),
            5 => Self::Drop(read_id(&mut reader)?),
            6 => Self::Refused(read_text(&mut reader)?),
            7 => Self::End(read_text(&mut reader)?),
            8 => Self::Unknown,
            9 => Self::Complete,
            10 => Self::Saved(read_id(&mut reader)?, reader.varint()?),
            _ => return Err(unknown()),
        };
        reader.end()?;
        Ok(message)
    }
}

fn unknown() -> Refusal {
    Refusal::Damaged("it is no message of this version of Learnery".into())
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    write_varint(out, text.len() as u64);
    out.extend(text.as_bytes());
}

fn read_text(reader: &mut Reader) -> Result<String, Refusal> {
    let length = reader.varint_u32()? as usize;
    if length > MAX_TEXT {
        return Err(Refusal::Damaged(format!(
            "a text in it has {length} bytes, and at most {MAX_TEXT} are possible"
        )));
    }
    let text = reader.bytes(length)?.to_vec();
    let text = String::from_utf8(text).map_err(|_| Refusal::Damaged("a text in it is not UTF-8".into()))?;
    // It is shown in a terminal.
    if text.contains(char::is_control) {
        return Err(Refusal::Damaged("a text in it has control characters".into()));
    }
    Ok(text)
}

/// In milliseconds, at most some fifty days.
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
            FromActor::Beat(ID),
            FromActor::Result(vec![1, 2, 3]),
            FromActor::Leave,
            FromActor::Checkpoint(vec![4, 5]),
        ]
    }

    fn to_actors() -> Vec<ToActor> {
        vec![
            ToActor::Welcome { beat: Duration::from_secs(10) },
            ToActor::Job(vec![5; 9]),
            ToActor::Weights(ID.version, vec![6; 9]),
            ToActor::Wait(Duration::from_millis(1500)),
            ToActor::Thanks(ID),
            ToActor::Drop(ID),
            ToActor::Refused("send it again".into()),
            ToActor::End("install version 1".into()),
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
        let long = ToActor::End("ä".repeat(MAX_TEXT));
        assert!(
            matches!(ToActor::from_bytes(&long.to_bytes()), Ok(ToActor::End(text)) if text.len() == MAX_TEXT)
        );
    }

    /// Jobs, results and weights have checksums of their own; the other messages are as long as they have to
    /// be.
    #[test]
    fn damaged_messages_are_refused() {
        let open = |kind: u8, bytes: &[u8]| bytes.first() == Some(&kind);
        let is_closed = |bytes: &Vec<u8>| !open(4, bytes) && !open(6, bytes);
        for bytes in from_actors().iter().map(FromActor::to_bytes).filter(is_closed) {
            (0..bytes.len())
                .for_each(|at| assert!(FromActor::from_bytes(&bytes[..at]).is_err(), "{bytes:?}"));
            assert!(FromActor::from_bytes(&[&bytes[..], &[0]].concat()).is_err(), "{bytes:?}");
        }
        let has_file = |bytes: &Vec<u8>| open(1, bytes) || open(2, bytes);
        for bytes in to_actors().iter().map(ToActor::to_bytes).filter(|bytes| !has_file(bytes)) {
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
