//! Messages cut into pieces that fit into a NATS message. A piece consists of four bytes of magic, from an
//! actor the 16 bytes of its token, then three numbers of 32 bits, little-endian: the number of the message,
//! the length of the message, and where in the message the piece begins. The rest are bytes of the message.

use learnery_lab::fleet::{Reader, Refusal};

use super::Token;

/// The first bytes of a piece from an actor; the digit is the version of the format.
const UP_MAGIC: &[u8; 4] = b"LFu1";
/// The first bytes of a piece from the host.
const DOWN_MAGIC: &[u8; 4] = b"LFd1";
/// The most bytes of a message in one piece. NATS servers allow a megabyte unless they are told otherwise.
pub const MAX_PIECE_BYTES: usize = 256 << 10;
/// The longest message of an actor to the host of one run: a result with the longest units (training
/// iterations) that settings allow has 3 MB.
pub const MAX_UP_BYTES: usize = 4 << 20;
/// The longest of all other messages. Weights have some megabytes; a message with the checkpoints of a
/// sweep's run has two of them at most, of 120 MiB each.
pub const MAX_DOWN_BYTES: usize = 256 << 20;

/// Cuts a message of an actor into pieces. `serial` is its number.
pub fn cut_up<'a>(token: &Token, serial: u32, message: &'a [u8]) -> impl Iterator<Item = Vec<u8>> + use<'a> {
    cut([&UP_MAGIC[..], &token.0].concat(), serial, message)
}

/// Cuts a message of the host into pieces. `serial` is its number.
pub fn cut_down(serial: u32, message: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<'_> {
    cut(DOWN_MAGIC.to_vec(), serial, message)
}

fn cut(head: Vec<u8>, serial: u32, message: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<'_> {
    let total = message.len() as u32;
    message.chunks(MAX_PIECE_BYTES).enumerate().map(move |(i, piece)| {
        let offset = (i * MAX_PIECE_BYTES) as u32;
        let numbers = [serial, total, offset].map(u32::to_le_bytes);
        [&head[..], numbers.as_flattened(), piece].concat()
    })
}

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The number of the message.
    serial: u32,
    /// The length of the message in bytes.
    total: usize,
    /// Where in the message the piece begins.
    offset: usize,
    bytes: &'a [u8],
}

/// A piece from an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpPiece<'a> {
    pub token: Token,
    pub piece: Piece<'a>,
}

/// Reads a piece from an actor, of a message of at most `max` bytes.
pub fn read_up(bytes: &[u8], max: usize) -> Result<UpPiece<'_>, Refusal> {
    let mut reader = Reader::new(bytes);
    if reader.array()? != *UP_MAGIC {
        return Err(unknown_format());
    }
    Ok(UpPiece { token: Token(reader.array()?), piece: read(reader, max)? })
}

/// Reads a piece from the host.
pub fn read_down(bytes: &[u8]) -> Result<Piece<'_>, Refusal> {
    let mut reader = Reader::new(bytes);
    if reader.array()? != *DOWN_MAGIC {
        return Err(unknown_format());
    }
    read(reader, MAX_DOWN_BYTES)
}

fn unknown_format() -> Refusal {
    Refusal::Damaged("it is no message of this version of Learnery".into())
}

fn read(mut reader: Reader<'_>, max: usize) -> Result<Piece<'_>, Refusal> {
    let mut number = || reader.array().map(|bytes| u32::from_le_bytes(bytes) as usize);
    let (serial, total, offset) = (number()? as u32, number()?, number()?);
    let bytes = reader.rest();
    if total > max {
        return Err(Refusal::Damaged(format!("it has {total} bytes, and at most {max} are possible")));
    }
    if bytes.is_empty() || offset.checked_add(bytes.len()).is_none_or(|end| end > total) {
        return Err(Refusal::Damaged("a piece of it does not fit in".into()));
    }
    Ok(Piece { serial, total, offset, bytes })
}

/// Puts the pieces of one sender together, one message at a time.
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    // Of the message that is being put together; zeros between two messages.
    serial: u32,
    total: usize,
    bytes: Vec<u8>,
}

impl Assembler {
    /// Adds a piece. Returns the message once it is complete. After a lost piece, the rest of its message is
    /// dropped.
    pub fn add(&mut self, piece: Piece<'_>) -> Option<Vec<u8>> {
        if piece.offset == 0 {
            *self = Self { serial: piece.serial, total: piece.total, bytes: Vec::new() };
        }
        let is_next =
            (piece.serial, piece.total, piece.offset) == (self.serial, self.total, self.bytes.len());
        if !is_next {
            *self = Self::default();
            return None;
        }
        // The buffer grows with what has arrived, not with what was announced.
        self.bytes.extend_from_slice(piece.bytes);
        (self.bytes.len() == self.total).then(|| std::mem::take(self).bytes)
    }

    /// Bytes that wait for the rest of their message.
    pub fn waiting_bytes(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: Token = Token([5; 16]);

    fn message(length: usize) -> Vec<u8> {
        (0..length).map(|i| (i * 7 + i / 251) as u8).collect()
    }

    #[test]
    fn messages_of_all_lengths_survive_a_round_trip() {
        for length in [
            1,
            100,
            MAX_PIECE_BYTES - 1,
            MAX_PIECE_BYTES,
            MAX_PIECE_BYTES + 1,
            3 * MAX_PIECE_BYTES,
            3 * MAX_PIECE_BYTES + 5,
        ] {
            let message = message(length);
            let (mut up, mut down) = (Assembler::default(), Assembler::default());
            let mut whole = Vec::new();
            for bytes in cut_up(&TOKEN, 9, &message) {
                let UpPiece { token, piece } = read_up(&bytes, MAX_UP_BYTES).unwrap();
                assert_eq!(token, TOKEN);
                whole.extend(up.add(piece));
            }
            for bytes in cut_down(9, &message) {
                whole.extend(down.add(read_down(&bytes).unwrap()));
            }
            assert_eq!(whole, [message.clone(), message], "{length} bytes");
            assert_eq!((up.waiting_bytes(), down.waiting_bytes()), (0, 0));
        }
    }

    /// The bytes as other programs have to write them.
    #[test]
    fn pieces_have_this_form() {
        let pieces: Vec<_> = cut_up(&TOKEN, 0x0102_0304, b"ab").collect();
        let expected = [&b"LFu1"[..], &[5; 16], &[4, 3, 2, 1], &[2, 0, 0, 0], &[0, 0, 0, 0], b"ab"].concat();
        assert_eq!(pieces, [expected]);
        let pieces: Vec<_> = cut_down(1, &vec![0; MAX_PIECE_BYTES + 1]).collect();
        assert_eq!((pieces[0].len(), pieces[1].len()), (MAX_PIECE_BYTES + 16, 17));
        assert_eq!(pieces[1][..16], *b"LFd1\x01\0\0\0\x01\0\x04\0\0\0\x04\0");
        assert_eq!(cut_down(1, &[]).count(), 0);
    }

    #[test]
    fn lost_doubled_and_mixed_pieces_give_no_message() {
        let (first, second) = (message(3 * MAX_PIECE_BYTES), message(2 * MAX_PIECE_BYTES));
        let first: Vec<_> = cut_down(1, &first).collect();
        let second_pieces: Vec<_> = cut_down(2, &second).collect();
        let play = |order: &[&Vec<u8>]| {
            let mut assembler = Assembler::default();
            order.iter().filter_map(|bytes| assembler.add(read_down(bytes).unwrap())).collect::<Vec<_>>()
        };
        let ([a, b, c], [x, y]) = (&first[..], &second_pieces[..]) else { panic!("three and two pieces") };
        assert!(play(&[a, c]).is_empty() && play(&[a, b, b, c]).is_empty() && play(&[b, c]).is_empty());
        assert!(play(&[x, b, c]).is_empty() && play(&[a, b, y]).is_empty());
        // A message that begins drops what was there.
        assert_eq!(play(&[a, b, x, y]), [second]);
    }

    #[test]
    fn every_cut_of_the_head_and_every_length_that_does_not_fit_is_refused() {
        let good: Vec<u8> = cut_up(&TOKEN, 1, b"x").next().unwrap();
        for at in 0..good.len() {
            assert!(read_up(&good[..at], MAX_UP_BYTES).is_err(), "cut at {at}");
        }
        assert!(read_up(&[&good[..], b"y"].concat(), MAX_UP_BYTES).is_err(), "longer than announced");
        assert!(
            read_down(&good).is_err() && read_up(&cut_down(1, b"x").next().unwrap(), MAX_UP_BYTES).is_err()
        );
        let with = |total: u32, offset: u32| {
            let numbers = [1, total, offset].map(u32::to_le_bytes);
            [&b"LFd1"[..], numbers.as_flattened(), b"x"].concat()
        };
        assert!(read_down(&with(MAX_DOWN_BYTES as u32, 0)).is_ok());
        for (total, offset) in [(MAX_DOWN_BYTES as u32 + 1, 0), (u32::MAX, 0), (5, 5), (5, u32::MAX)] {
            assert!(read_down(&with(total, offset)).is_err(), "{total} {offset}");
        }
        // What is announced is not allocated.
        let mut assembler = Assembler::default();
        assert_eq!(assembler.add(read_down(&with(MAX_DOWN_BYTES as u32, 0)).unwrap()), None);
        assert!(assembler.waiting_bytes() == 1 && assembler.bytes.capacity() < 1000);
    }
}
