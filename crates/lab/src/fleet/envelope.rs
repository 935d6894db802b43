//! The envelope of jobs and results, which is the same for every lab: the unit (training iteration), the
//! number of the job, the version of the weights, and a checksum. Numbers are little-endian. The layout:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `LFj1` or `LFr1` |
//! | 8 | unit |
//! | 4 | index of the job in its unit |
//! | 32 | version of the weights |
//! | the rest but 8 | body, in the lab's own format |
//! | 8 | checksum of all before it |

use super::{Reader, Refusal, Version, digest};

/// The first bytes of a job; the digit is the version of the format.
const JOB_MAGIC: &[u8; 4] = b"LFj1";
/// The first bytes of a result.
const RESULT_MAGIC: &[u8; 4] = b"LFr1";
/// Bytes of the checksum: the first bytes of a SHA-256 hash.
const CHECKSUM_BYTES: usize = 8;
/// Bytes of a job or result beside its body: first bytes, unit, index, hash of the weights, checksum.
#[cfg(not(target_family = "wasm"))]
pub const OVERHEAD_BYTES: usize = 4 + 8 + 4 + 32 + CHECKSUM_BYTES;

/// Names a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId {
    pub unit: u64,
    /// The number of the job in its unit.
    pub index: u32,
    /// The weights with which it is computed.
    pub version: Version,
}

/// A job, as it is sent to an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job<'a> {
    pub id: JobId,
    /// What the lab's actor reads.
    pub body: &'a [u8],
}

/// The result of a job, as it is sent to the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobResult<'a> {
    pub id: JobId,
    /// What the lab's learner reads.
    pub body: &'a [u8],
}

impl<'a> Job<'a> {
    pub fn to_bytes(&self) -> Vec<u8> {
        write(JOB_MAGIC, self.id, self.body)
    }

    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let (id, body) = read(JOB_MAGIC, "job", bytes)?;
        Ok(Self { id, body })
    }
}

impl<'a> JobResult<'a> {
    pub fn to_bytes(&self) -> Vec<u8> {
        write(RESULT_MAGIC, self.id, self.body)
    }

    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let (id, body) = read(RESULT_MAGIC, "result", bytes)?;
        Ok(Self { id, body })
    }
}

fn write(magic: &[u8; 4], id: JobId, body: &[u8]) -> Vec<u8> {
    let unit = id.unit.to_le_bytes();
    let index = id.index.to_le_bytes();
    let mut bytes = [magic, &unit[..], &index, &id.version.0, body].concat();
    let checksum = digest(&bytes);
    bytes.extend_from_slice(&checksum[..CHECKSUM_BYTES]);
    bytes
}

fn read<'a>(magic: &[u8; 4], what: &str, bytes: &'a [u8]) -> Result<(JobId, &'a [u8]), Refusal> {
    let mut reader = Reader::new(bytes);
    if reader.array()? != *magic {
        return Err(Refusal::Damaged(format!("it is not a {what} of this version of Learnery")));
    }
    let id = JobId {
        unit: u64::from_le_bytes(reader.array()?),
        index: u32::from_le_bytes(reader.array()?),
        version: Version(reader.array()?),
    };
    // If fewer bytes are left than a checksum has, the body is taken as empty. Then the checksum is refused
    // as cut short.
    let body = reader.rest().len().checked_sub(CHECKSUM_BYTES).map_or(Ok(&[][..]), |n| reader.bytes(n))?;
    let checksum: [u8; CHECKSUM_BYTES] = reader.array()?;
    if digest(&bytes[..bytes.len() - CHECKSUM_BYTES])[..CHECKSUM_BYTES] != checksum {
        return Err(Refusal::Damaged(format!("the checksum of the {what} does not match")));
    }
    Ok((id, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: JobId = JobId { unit: 7, index: 3, version: Version([9; 32]) };

    #[test]
    fn jobs_and_results_survive_a_round_trip_and_are_not_mistaken_for_each_other() {
        let job = Job { id: ID, body: b"play" };
        assert_eq!(Job::from_bytes(&job.to_bytes()), Ok(job));
        let result = JobResult { id: ID, body: b"" };
        assert_eq!(JobResult::from_bytes(&result.to_bytes()), Ok(result));
        assert!(JobResult::from_bytes(&job.to_bytes()).is_err());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_refused() {
        let good = JobResult { id: ID, body: b"twenty turns" }.to_bytes();
        for at in 0..good.len() {
            assert!(matches!(JobResult::from_bytes(&good[..at]), Err(Refusal::Damaged(_))), "cut at {at}");
            let mut changed = good.clone();
            changed[at] ^= 0x10;
            assert!(matches!(JobResult::from_bytes(&changed), Err(Refusal::Damaged(_))), "changed at {at}");
        }
        assert!(JobResult::from_bytes(&[good, vec![0]].concat()).is_err());
        assert!(JobResult::from_bytes(&vec![0; 10 << 20]).is_err());
    }
}
