//! `learnery backgammon serve`: an external player for GNU Backgammon, which connects over TCP and asks for
//! decisions.
//!
//! Every client has a thread of its own, so one that is silent, slow or gone holds up nobody else. The
//! process ends by returning from the command, whatever the threads are doing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use learnery_backgammon_play::{BoardOptions, ExternalPlayer};
use learnery_labs::backgammon::networks::TrainedNetwork;

use crate::args::BackgammonServeArgs;
use crate::failure::{io_reason, usage};
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::run::stop::StopSignal;
use crate::terminal::{stderr, stdout};

/// The longest line that is read, in bytes. A board of gnubg has some 150.
const MAX_LINE_BYTES: u64 = 4096;
/// Clients at the same time. Each needs a thread and the buffers of an evaluation.
const MAX_CLIENTS: usize = 256;
/// How often a request to stop is looked for.
const STOP_INTERVAL: Duration = Duration::from_millis(50);
/// How long a client may be silent, or not read its answers, before its connection ends. A person may think
/// for long, but a client that is gone without a word must not keep its place for ever.
const IDLE_LIMIT: Duration = Duration::from_secs(3600);
/// The wait after an error of the operating system, such as too many open files.
const WAIT_AFTER_ERROR: Duration = Duration::from_millis(200);

/// What all clients share.
struct Server {
    network: Arc<TrainedNetwork>,
    plies: u8,
    rules: BoardOptions,
    /// How many clients are connected.
    clients: AtomicUsize,
}

pub fn serve(args: &BackgammonServeArgs) -> Result<()> {
    let path = checkpoint_path(&args.network.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint).map_err(|e| file_error(&path, e))?;
    let rules =
        BoardOptions { jacoby: !args.no_jacoby, beavers: !args.no_beavers, ..BoardOptions::default() };
    let server = Arc::new(Server {
        network: Arc::new(network),
        plies: args.plies,
        rules,
        clients: AtomicUsize::new(0),
    });
    // A depth that the network cannot search is refused here, before anybody connects.
    drop(server.player().map_err(usage)?);

    let unavailable = |e| anyhow!("port {} of {} is not available: {}", args.port, args.host, io_reason(&e));
    let listener = TcpListener::bind((args.host.as_str(), args.port)).map_err(unavailable)?;
    let address = listener.local_addr().context("the port is unknown")?;
    let stop = StopSignal::listen()?;
    stdout::write(&format!("Listening on {address}\n"))?;
    stderr::write(&format!("In gnubg: set player 0 external {address}. Ctrl-C ends the server.\n"));

    thread::spawn(move || server.accept(&listener));
    while !stop.requested() {
        thread::sleep(STOP_INTERVAL);
    }
    Ok(())
}

impl Server {
    fn player(&self) -> Result<ExternalPlayer<TrainedNetwork>, String> {
        ExternalPlayer::new(Arc::clone(&self.network), self.plies, self.rules)
    }

    /// Accepts clients for ever.
    fn accept(self: Arc<Self>, listener: &TcpListener) {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(WAIT_AFTER_ERROR);
                continue;
            };
            let server = Arc::clone(&self);
            // Without a further thread the stream is dropped, which closes the connection.
            if thread::Builder::new().spawn(move || server.serve(stream)).is_err() {
                thread::sleep(WAIT_AFTER_ERROR);
            }
        }
    }

    /// Serves a client until it ends the connection, which is no error.
    fn serve(&self, mut stream: TcpStream) {
        let (_place, others) = Place::take(&self.clients);
        // An error means that the client is gone, which is no error of the server.
        let _ = if others < MAX_CLIENTS {
            self.answer_lines(&mut stream)
        } else {
            write_line(&mut stream, &format!("Error: {MAX_CLIENTS} clients are connected already"))
        };
    }

    fn answer_lines(&self, stream: &mut TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(IDLE_LIMIT))?;
        stream.set_write_timeout(Some(IDLE_LIMIT))?;
        let mut player = self.player().map_err(io::Error::other)?;
        let mut requests = BufReader::new(stream.try_clone()?);
        let mut line = Vec::new();
        loop {
            line.clear();
            requests.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            if !line.ends_with(b"\n") {
                // The end of the connection, or a line that is too long to read on.
                if line.len() as u64 == MAX_LINE_BYTES {
                    write_line(stream, &format!("Error: a line has at most {MAX_LINE_BYTES} bytes"))?;
                }
                return Ok(());
            }
            // Names of players may be in any encoding, and nothing depends on them.
            match player.answer(&String::from_utf8_lossy(&line)) {
                Some(answer) => write_line(stream, &answer)?,
                // The client asked to end the connection.
                None => return Ok(()),
            }
        }
    }
}

/// The place of a client among all clients. It is free again once this is dropped, also by a panic of the
/// client's thread.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    /// Takes a place; returns it and the number of other clients.
    fn take(clients: &'a AtomicUsize) -> (Self, usize) {
        let others = clients.fetch_add(1, Ordering::SeqCst);
        (Self(clients), others)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Writes a line, in one piece, because gnubg takes what it reads at once as the whole answer.
fn write_line(stream: &mut TcpStream, answer: &str) -> io::Result<()> {
    stream.write_all(format!("{answer}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_is_free_after_a_panic() {
        let clients = AtomicUsize::new(0);
        let (_first, others) = Place::take(&clients);
        assert_eq!(others, 0);
        thread::scope(|scope| {
            let client = scope.spawn(|| {
                let _second = Place::take(&clients);
                panic!("the thread of a client fails");
            });
            assert!(client.join().is_err());
        });
        let (_third, others) = Place::take(&clients);
        assert_eq!(others, 1);
    }
}
