//! Sweeps over a fleet: whatever is killed, results and checkpoints have the bytes of `learnery fleet sweep
//! --local`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use learnery_fleet::status::FleetStatus;
use learnery_fleet::sweep::Delivery;
use learnery_fleet::wire::Link;
use learnery_fleet::{FromActor, ToActor};
use learnery_lab::fleet::{JobId, JobResult};

use crate::common::{SMALL, Sandbox};
use crate::fleet::{Process, free_port, send_signal, wait};
use crate::hostile::Hostile;
use crate::needs_server;

/// A sweep in the folder `fleet` of a sandbox of its own, whose host computes nothing itself.
struct Sweep {
    sandbox: Sandbox,
    args: String,
    ports: String,
    host: Option<Process>,
}

impl Drop for Sweep {
    fn drop(&mut self) {
        self.host = None;
        if let Some(server) = self.server() {
            _ = Command::new("kill").args(["-9", &server.to_string()]).output();
        }
    }
}

impl Sweep {
    fn start(args: &str) -> Self {
        Self::start_in(Sandbox::new(), args)
    }

    fn start_in(sandbox: Sandbox, args: &str) -> Self {
        Self::start_with(sandbox, &format!("control {} {args}", SMALL.join(" ")))
    }

    /// A sweep with these arguments, of which the first is the lab.
    fn start_with(sandbox: Sandbox, args: &str) -> Self {
        let ports = format!("--port {} --web-port {}", free_port(), free_port());
        let mut sweep = Self { sandbox, args: args.into(), ports, host: None };
        sweep.serve("--threads 0");
        sweep
    }

    fn command(&self, where_to: &str) -> Command {
        self.sandbox.command(&format!("fleet sweep {} {where_to}", self.args))
    }

    fn serve(&mut self, threads: &str) {
        let host = Process::start(self.command(&format!("{} {threads} --out fleet", self.ports)));
        wait("the links are printed", || {
            let err = host.err();
            assert!(!err.contains("error:"), "{err}");
            err.contains("fleet watch 'nats://")
        });
        self.host = Some(host);
    }

    fn link(&self) -> Link {
        let err = self.host.as_ref().unwrap().err();
        let begin = err.find("nats://").unwrap();
        err[begin..].split('\'').next().unwrap().parse().unwrap()
    }

    fn join(&self, threads: u16) -> Process {
        Process::start(self.sandbox.command(&format!("fleet join {} --threads {threads}", self.link())))
    }

    fn server(&self) -> Option<u32> {
        fs::read_to_string(self.sandbox.path("fleet/fleet/nats.pid")).ok()?.trim().parse().ok()
    }

    fn status(&self) -> Option<FleetStatus> {
        serde_json::from_slice(&fs::read(self.sandbox.path("fleet/fleet/status.json")).ok()?).ok()
    }

    fn checkpoint(&self, out: &str, run: &str) -> PathBuf {
        self.sandbox.path(&format!("{out}/{run}/last.safetensors"))
    }

    /// The number of completed units (training iterations) in the checkpoint of a run.
    fn units_in(&self, run: &str) -> u64 {
        let file = self.sandbox.read(&format!("{run}/last.safetensors"));
        learnery_lab::Checkpoint::from_bytes(&file).unwrap().header.units
    }

    fn end(&mut self) {
        let (code, err) = self.host.take().unwrap().end();
        assert_eq!(code, Some(0), "{err}");
        assert!(!err.contains("Stopped"), "{err}");
    }

    /// All files of results must be those of a sweep on one machine.
    fn assert_same_as_local(&self, runs: &[&str]) {
        let local = self.command("--local --threads 1 --out local").output().unwrap();
        assert_eq!(local.status.code(), Some(0), "{}", String::from_utf8_lossy(&local.stderr));
        for run in runs {
            let read = |out| fs::read(self.checkpoint(out, run)).unwrap();
            assert!(read("fleet") == read("local"), "{run}: other bytes than on one machine");
            let solved =
                |out: &str| fs::read(self.sandbox.path(&format!("{out}/{run}/solved.safetensors"))).ok();
            assert!(solved("fleet") == solved("local"), "{run}: another checkpoint at the goal");
            let units = |out: &str| {
                let rows = self.sandbox.rows(&format!("{out}/{run}"));
                rows.into_iter().map(|row| row["unit"].as_u64().unwrap()).collect::<Vec<_>>()
            };
            assert_eq!(units("fleet"), units("local"), "{run}: other rows");
        }
        for file in ["results.csv", "report.html"] {
            let read = |out: &str| self.sandbox.read(&format!("{out}/{file}"));
            assert!(read("fleet") == read("local"), "{file} differs");
        }
    }
}

/// Two workers with a run each. One is killed, and the other has to go on with its run from the last
/// checkpoint; the host and the server are killed too.
#[test]
fn killed_workers_host_and_server_change_no_bit_of_a_sweep() {
    needs_server!();
    let mut sweep = Sweep::start("--seeds 0..3 --set gamma=0.9,0.99 --units 1500");
    let (first, second) = (sweep.join(1), sweep.join(1));
    // The first unit of a run is saved at once.
    wait("two runs are under way", || {
        ["gamma=0.9/seed-0", "gamma=0.99/seed-0"].iter().all(|run| sweep.checkpoint("fleet", run).exists())
    });
    first.kill();
    sweep.host.take().unwrap().kill();
    send_signal(sweep.server().unwrap(), "-9");
    sweep.serve("--threads 0");
    sweep.end();
    let (code, err) = second.end();
    assert_eq!(code, Some(0), "{err}");
    let runs: Vec<String> = ["0.9", "0.99"]
        .iter()
        .flat_map(|gamma| (0..3).map(move |seed| format!("gamma={gamma}/seed-{seed}")))
        .collect();
    let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
    sweep.assert_same_as_local(&runs);
}

/// After the first round the runs are leased again. Nothing is measured with these settings, so all go on.
#[test]
fn rounds_of_a_sweep_give_the_bytes_of_one_machine() {
    needs_server!();
    let mut sweep = Sweep::start("--seeds 0..2 --set gamma=0.5,0.9,0.99 --units 300 --halving");
    let workers = [sweep.join(1), sweep.join(1)];
    let (code, err) = sweep.host.take().unwrap().end();
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("Combinations in each round: 3 for 100 iterations, then 1 for 300.\n"), "{err}");
    assert!(err.contains("Round 1 of 2: 6 of 6 runs are done"), "{err}");
    assert!(err.contains("Round 1 has no value of examReturn, so all 3 combinations go on.\n"), "{err}");
    assert!(err.contains("Round 2 of 2: 6 of 6 runs are done, 0 reached the goal.\n"), "{err}");
    for worker in workers {
        let (code, err) = worker.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(err.contains("The run is complete.\nLeft the fleet after "), "{err}");
    }
    sweep.assert_same_as_local(&["gamma=0.5/seed-0", "gamma=0.9/seed-1", "gamma=0.99/seed-0"]);
}

/// The machines that join get the text of a world too.
#[test]
fn worlds_of_ones_own_are_learned_elsewhere_with_the_same_bytes() {
    needs_server!();
    let sandbox = Sandbox::new();
    sandbox.write(
        "point.world",
        "world \"Point\"\nstate x = uniform(-1, 1)\naction push from -1 to 1\nx' = 0.9 * x + 0.1 * push\n\
         reward -abs(x')\nlimit 20 steps\n",
    );
    let mut sweep = Sweep::start_in(sandbox, "--world point.world --seeds 0..2 --units 300");
    let worker = sweep.join(1);
    sweep.end();
    assert_eq!(worker.end().0, Some(0));
    sweep.assert_same_as_local(&["all/seed-0", "all/seed-1"]);
}

/// A worker gets a run, falls silent until another has it, and then delivers: nothing of it is written.
#[test]
fn late_checkpoints_are_not_written() {
    needs_server!();
    let mut sweep = Sweep::start("--seeds 0 --units 2000");
    sweep.sandbox.train_small("--seed 0 --units 2010 --out other");
    let other = sweep.sandbox.read("other/last.safetensors");
    wait("a status is written", || sweep.status().is_some());
    let mut late = Hostile::join(&sweep.link(), 1, &sweep.status().unwrap().bits);
    late.send(&FromActor::Ask);
    let ToActor::Job(job) = late.receive() else { panic!("no job") };
    let id = learnery_lab::fleet::Job::from_bytes(&job).unwrap().id;
    // It leaves as a machine does that is shut down, and wakes up later.
    late.send(&FromActor::Leave);
    let worker = sweep.join(1);
    wait("another has the run", || sweep.checkpoint("fleet", "all/seed-0").exists());
    let body = Delivery { last: &other, solved: None }.to_bytes();
    for generation in [id.unit, id.unit + 1, 99] {
        let id = JobId { unit: generation, ..id };
        late.send(&FromActor::Result(JobResult { id, body: &body }.to_bytes()));
    }
    wait("all three are refused", || sweep.status().is_some_and(|status| status.late == 3));
    sweep.end();
    assert_eq!(worker.end().0, Some(0));
    sweep.assert_same_as_local(&["all/seed-0"]);
}

/// This machine's own threads compute too, Ctrl-C saves their runs, and a goal is a reason to end.
#[test]
fn own_threads_compute_and_a_stopped_sweep_goes_on() {
    needs_server!();
    let mut sweep = Sweep::start("--seeds 0..2 --units 3000");
    sweep.host.take().unwrap().signal_and_end("-INT");
    sweep.serve("--threads 2");
    wait("a run is under way", || sweep.checkpoint("fleet", "all/seed-1").exists());
    sleep(Duration::from_millis(200));
    let (code, err) = sweep.host.take().unwrap().signal_and_end("-INT");
    assert_eq!(code, Some(130), "{err}");
    assert!(err.contains("the same command continues it"), "{err}");
    for run in ["fleet/all/seed-0", "fleet/all/seed-1"] {
        let units = sweep.units_in(run);
        assert!(units > 1, "Ctrl-C has saved what its threads had");
        let kept = format!("{run} is kept as of iteration {units}; no completed iteration is lost.\n");
        assert!(err.contains(&kept), "{kept}: {err}");
    }
    sweep.serve("--threads 2");
    sweep.end();
    sweep.assert_same_as_local(&["all/seed-0", "all/seed-1"]);
}

/// A step takes so long that the machine leaves in the middle of one: what its thread has in memory is sent,
/// and the user is told how far the run is kept.
#[test]
fn machine_that_leaves_in_the_middle_of_a_step_hands_in_the_completed_units() {
    needs_server!();
    let settings = "--set source=stories --set width=128 --set layers=2 --set heads=4 --set length=128 \
                    --set batch=64 --set updates=1 --set judge_size=500";
    let sweep = Sweep::start_with(Sandbox::new(), &format!("language --seeds 3 --units 1000000 {settings}"));
    let worker = sweep.join(1);
    wait("the first unit is saved", || sweep.checkpoint("fleet", "all/seed-3").exists());
    // Some more units, which are not sent before a minute has passed.
    sleep(Duration::from_secs(4));
    let (code, err) = worker.signal_and_end("-INT");
    assert_eq!(code, Some(0), "{err}");
    let sentence = "The run of Language with the seed 3 is kept as of iteration ";
    let (_, rest) = err.split_once(sentence).unwrap_or_else(|| panic!("{err}"));
    let kept: u64 = rest.split(';').next().unwrap().parse().unwrap();
    wait("the host has what was kept", || sweep.units_in("fleet/all/seed-3") == kept);
    assert!(rest.ends_with(" lost.\nLeft the fleet after 0 accepted results.\n"), "{err}");
}

/// A folder in the place of the checkpoint makes saving fail, as a full disk does. The worker keeps what the
/// host could not write, here the end of the run, and sends it again.
#[test]
fn sweep_goes_on_while_its_runs_cannot_be_saved() {
    needs_server!();
    let mut sweep = Sweep::start("--seeds 0 --units 3000");
    let worker = sweep.join(1);
    let last = sweep.checkpoint("fleet", "all/seed-0");
    wait("the first unit is saved", || last.exists());
    fs::remove_file(&last).unwrap();
    fs::create_dir(&last).unwrap();
    let told = |sentence: &str| sweep.host.as_ref().unwrap().err().contains(sentence);
    wait("the host says so", || {
        told("seed-0/last.safetensors cannot be written: it is a folder. The run goes on and tries again.")
    });
    fs::remove_dir(&last).unwrap();
    wait("the host says so", || told("The run is saved again."));
    sweep.end();
    assert_eq!(worker.end().0, Some(0));
    sweep.assert_same_as_local(&["all/seed-0"]);
}
