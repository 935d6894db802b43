//! The byte stream of a connection, plain or encrypted (TLS), with deadlines: no client can keep a thread
//! beyond them, however slowly it sends or reads.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rustls::{ServerConnection, StreamOwned};

use crate::certificate::Certificate;

/// How long a write may wait for a client that reads nothing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long, and in how many reads, what a client still sends is read and dropped before the connection is
/// closed.
const LINGER_TIMEOUT: Duration = Duration::from_millis(500);
const LINGER_READS: usize = 64;

/// A connection to a client.
pub enum Stream {
    Plain(Socket),
    Encrypted(Box<StreamOwned<ServerConnection, Socket>>),
}

impl Stream {
    /// A stream without encryption.
    pub fn plain(stream: TcpStream) -> Self {
        // Every read and write sets the deadline first.
        Self::Plain(Socket { stream, deadline: Instant::now() })
    }

    /// Does the handshake of TLS. The client's first byte has to come within `first`, and then the rest of
    /// the handshake within `all`. A client that begins with a method of HTTP gets a plain stream.
    pub fn encrypted(
        stream: TcpStream,
        certificate: &Certificate,
        first: Duration,
        all: Duration,
    ) -> io::Result<Self> {
        let mut socket = Socket { stream, deadline: Instant::now() + first };
        // The methods of HTTP are in capitals. A handshake begins with 22, the type of its first record.
        if socket.peek()?.is_ascii_uppercase() {
            return Ok(Self::Plain(socket));
        }
        socket.deadline = Instant::now() + all;
        let mut connection = certificate.connection().map_err(io::Error::other)?;
        if let Err(error) = connection.complete_io(&mut socket) {
            // rustls has sent the client an alert that says what is wrong. It must not be lost, see `finish`.
            socket.finish();
            return Err(error);
        }
        Ok(Self::Encrypted(Box::new(StreamOwned::new(connection, socket))))
    }

    pub fn is_encrypted(&self) -> bool {
        matches!(self, Self::Encrypted(_))
    }

    /// Waits until bytes arrive, at the latest until the deadline, and reads them. Returns how many; 0 if the
    /// client has ended the connection.
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

    /// Ends the connection, after reading for a moment what the client still sends (a lingering close): if a
    /// connection is closed with unread bytes it is reset, and the client may lose the answer.
    pub fn finish(&mut self) {
        if let Self::Encrypted(stream) = self {
            stream.sock.deadline = Instant::now() + LINGER_TIMEOUT;
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

/// A socket whose operations all end at one deadline. A read of an encrypted stream can be any number of
/// reads of its socket, so a time limit for each of those would not limit the whole.
pub struct Socket {
    stream: TcpStream,
    deadline: Instant,
}

impl Socket {
    /// The time until the deadline; an error if it has passed.
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }

    /// Waits for the first byte that arrives, and leaves it unread.
    fn peek(&self) -> io::Result<u8> {
        let mut byte = [0];
        self.stream.set_read_timeout(Some(self.left()?))?;
        match self.stream.peek(&mut byte)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(byte[0]),
        }
    }

    /// Tells the client that nothing more comes, and reads for a moment, see [`Stream::finish`].
    fn finish(&mut self) {
        _ = self.stream.shutdown(Shutdown::Write);
        self.deadline = Instant::now() + LINGER_TIMEOUT;
        let mut bytes = [0; 4096];
        for _ in 0..LINGER_READS {
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
        self.stream.set_write_timeout(Some(self.left()?.min(WRITE_TIMEOUT)))?;
        self.stream.write(bytes).map_err(timed_out)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// On Unix, an operation that runs into its time limit fails with `WouldBlock`, after which `rustls` would
/// try again. This turns it into `TimedOut`.
fn timed_out(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { io::ErrorKind::TimedOut.into() } else { error }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn write_ends_at_its_deadline_although_the_client_reads_on() {
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
