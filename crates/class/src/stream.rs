//! The bytes of a connection, plain or encrypted (TLS), with deadlines: no client keeps a thread longer, however
//! slowly it sends or reads.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rustls::{ServerConnection, StreamOwned};

use crate::certificate::Certificate;

/// How long the client may not read.
const WRITE_PAUSE: Duration = Duration::from_secs(10);
/// How long, and how often, bytes are read that nobody wants any more.
const FAREWELL: Duration = Duration::from_millis(500);
const FAREWELL_READS: usize = 64;

pub enum Stream {
    Plain(Socket),
    Encrypted(Box<StreamOwned<ServerConnection, Socket>>),
}

impl Stream {
    pub fn plain(stream: TcpStream) -> Self {
        Self::Plain(Socket { stream, deadline: Instant::now() })
    }

    /// Does the handshake of TLS. The client's first byte has to come within the first duration, and all of the
    /// handshake within the second one. A client that begins with a method of HTTP gets a plain stream.
    pub fn encrypted(
        stream: TcpStream,
        certificate: &Certificate,
        first: Duration,
        all: Duration,
    ) -> io::Result<Self> {
        let mut socket = Socket { stream, deadline: Instant::now() + first };
        // Methods are in capitals. A handshake begins with 22, the type of its record.
        if socket.peek()?.is_ascii_uppercase() {
            return Ok(Self::Plain(socket));
        }
        socket.deadline = Instant::now() + all;
        let mut connection = certificate.connection().map_err(io::Error::other)?;
        if let Err(error) = connection.complete_io(&mut socket) {
            // The alert that says what is wrong is on its way.
            socket.finish();
            return Err(error);
        }
        Ok(Self::Encrypted(Box::new(StreamOwned::new(connection, socket))))
    }

    pub fn is_encrypted(&self) -> bool {
        matches!(self, Self::Encrypted(_))
    }

    /// Reads what has arrived, at the latest until the deadline; nothing if the client has ended.
    pub fn read(&mut self, bytes: &mut [u8], deadline: Instant) -> io::Result<usize> {
        self.socket().deadline = deadline;
        match self {
            Self::Plain(socket) => socket.read(bytes),
            Self::Encrypted(stream) => stream.read(bytes),
        }
    }

    /// Writes all of these bytes, at the latest until the deadline.
    pub fn write_all(&mut self, bytes: &[u8], deadline: Instant) -> io::Result<()> {
        self.socket().deadline = deadline;
        match self {
            Self::Plain(socket) => socket.write_all(bytes),
            Self::Encrypted(stream) => {
                stream.write_all(bytes)?;
                stream.flush()
            }
        }
    }

    /// Ends the connection. What the client still sends is read for a moment: a connection that is closed with
    /// unread bytes is reset, and the client would lose the answer.
    pub fn finish(&mut self) {
        if let Self::Encrypted(stream) = self {
            stream.sock.deadline = Instant::now() + FAREWELL;
            stream.conn.send_close_notify();
            _ = stream.flush();
        }
        self.socket().finish();
    }

    fn socket(&mut self) -> &mut Socket {
        match self {
            Self::Plain(socket) => socket,
            Self::Encrypted(stream) => &mut stream.sock,
        }
    }
}

/// A socket of which every operation ends at the deadline. One read of an encrypted stream is several of its socket,
/// so a time limit for each of these alone would be none.
pub struct Socket {
    stream: TcpStream,
    deadline: Instant,
}

impl Socket {
    /// The time that is left.
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// The first byte that arrives. It is not taken.
    fn peek(&self) -> io::Result<u8> {
        let mut byte = [0];
        self.stream.set_read_timeout(Some(self.left()?))?;
        match self.stream.peek(&mut byte)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(byte[0]),
        }
    }

    /// Says that nothing more comes, and reads for a moment.
    fn finish(&mut self) {
        _ = self.stream.shutdown(Shutdown::Write);
        self.deadline = Instant::now() + FAREWELL;
        let mut bytes = [0; 4096];
        for _ in 0..FAREWELL_READS {
            if !self.read(&mut bytes).is_ok_and(|read| read > 0) {
                break;
            }
        }
    }
}

impl Read for Socket {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(bytes).map_err(timed_out)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?.min(WRITE_PAUSE)))?;
        self.stream.write(bytes).map_err(timed_out)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Unix says of a time that has passed that the operation would block, on which `rustls` would try again.
fn timed_out(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { io::ErrorKind::TimedOut.into() } else { error }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn answer_ends_at_its_deadline_though_the_client_reads_on() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut stream = Stream::plain(listener.accept().unwrap().0);
        // Far more than the buffers of the operating system hold, in one piece, read slowly until the end.
        let reader = thread::spawn(move || {
            let mut bytes = vec![0; 16 * 1024];
            while client.read(&mut bytes).is_ok_and(|read| read > 0) {
                thread::sleep(Duration::from_millis(5));
            }
        });
        let deadline = Instant::now() + Duration::from_millis(200);
        assert!(stream.write_all(&vec![7; 64 << 20], deadline).is_err());
        drop(stream);
        reader.join().unwrap();
    }
}
