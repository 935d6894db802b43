// `node scripts/bench-fleet.mjs [PROGRAM]`: measures fleets of real processes on this machine, and prints a table.
// Without PROGRAM it builds the command line with optimisation first. Needs Linux (/proc) and nats-server.
//
// A fleet of N one-threaded actors and one process with N threads do the same units on the same N cores. "By the clock"
// compares their rates once the learner knows the actors and so checks few of their results; it says little on a busy
// machine. "By CPU" compares positions per second of processor time of all their processes together.
//
// A table is what one job of the fleet plays: a group of up to 64 games (`GAMES_PER_GROUP` in the backgammon lab), so
// the setting `games` says how many tables a unit (training iteration) has. `horizon` is their turns in a unit.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../tests/browser/ports.mjs";
import { main, root, run } from "./commands.mjs";

/**
 * The preset that fleets are made for, with eight tables in a unit and turns enough for a table to take most of a
 * second. It has no evaluations, which only the learner computes.
 */
const RUN_ARGUMENTS =
  "backgammon --preset tournament --set games=512 --set horizon=8 --set eval_every=0 --seed 7".split(" ");
/**
 * The number of units of that run. In the first `PROBATION_UNITS` of them each of up to eight actors has six results
 * checked, the first as a whole, each next one half as much (crates/fleet/src/trust.rs). Then it is checked like
 * others.
 */
const RUN_UNITS = 12;
const PROBATION_UNITS = 6;
/**
 * The preset itself, with two tables in a unit. Only its first units are measured, in which large parts of the results
 * of newcomers are still checked.
 */
const PRESET_RUN = "backgammon --preset tournament --set eval_every=0 --seed 7".split(" ");
const PRESET_UNITS = 5;
/** A run whose jobs take some ten milliseconds: a hundred tables, for a hundred actors. */
const LIGHT_RUN =
  "backgammon --set learner=alphazero --set games=6400 --set horizon=8 --set batch=64 --set reuse=0.1 --set replay=100000 --set simulations=2 --set lambda=0.8 --set eval_every=0 --seed 7".split(
    " ",
  );
const LIGHT_RUN_TABLES = 100;
/** Three tables of a third of a second: units that end soon after a recovery. */
const SHORT_RUN =
  "backgammon --set learner=alphazero --set games=130 --set horizon=24 --set batch=64 --set reuse=0.2 --set replay=4000 --set simulations=4 --set lambda=0.8 --set eval_every=0 --seed 7".split(
    " ",
  );
/** Ticks of the processor clock in a second, which Linux fixes for /proc. */
const TICKS_PER_SECOND = 100;

/** What was measured of runs in one process so far, by their folders. */
const measuredAlone = new Map();
let program = "";
let folder = "";

/** Seconds of processor time of a process, as long as it is there. */
function cpuSeconds(pid) {
  try {
    // See proc(5). The name of the program, field 2, is in parentheses and may hold spaces, so the fields are counted
    // from behind it: field 3 comes first. Fields 14 and 15 are the ticks in user mode and in the kernel.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    const [userTicks, kernelTicks] = [fields[14 - 3], fields[15 - 3]].map(Number);
    return (userTicks + kernelTicks) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** How often processes are looked at, and how often it is checked whether something awaited has happened. */
const LOOK_MS = 50;
const CHECK_MS = 20;

/** Starts the program on these cores. `cpu` of the result is its processor time in seconds, also after its end. */
function start(cores, args) {
  const child = spawn("taskset", ["-c", cores, program, ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const started = { child, said: "", cpu: 0, ended: new Promise((end) => child.on("close", (code) => end(code))) };
  child.stderr.on("data", (data) => (started.said += data));
  started.look = () => (started.cpu = cpuSeconds(child.pid) ?? started.cpu);
  started.timer = setInterval(started.look, LOOK_MS);
  started.ended.then(() => clearInterval(started.timer));
  return started;
}

/** Waits until `isSo` returns something true, and resolves to that. */
async function until(what, isSo, seconds = 300) {
  const end = Date.now() + 1000 * seconds;
  while (Date.now() < end) {
    const found = isSo();
    if (found) return found;
    await sleep(CHECK_MS);
  }
  throw new Error(`${what}: not within ${seconds} s`);
}

/** The rows of metrics of a run, one for each unit. */
const rows = (out) =>
  readFileSync(join(folder, out, "metrics.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map(JSON.parse);
const checkpoint = (out) => readFileSync(join(folder, out, "last.safetensors"));

/** The work per second of a run, measured from unit `after` to the end. */
function rate(out, after) {
  const all = rows(out);
  const [first, last] = [all[after - 1], all.at(-1)];
  return (last.work - first.work) / (last.seconds - first.seconds);
}

/** Measures a run in one process from unit `after` on. Another process does the units before. */
async function measureAlone(settings, units, after, threads, cores) {
  // The number of words tells the runs apart.
  const out = `alone-${threads}-${units}-${settings.length}`;
  if (measuredAlone.has(out)) return measuredAlone.get(out);
  const train = async (...args) => {
    const training = start(cores, ["train", ...args, "--threads", threads].map(String));
    if ((await training.ended) !== 0) throw new Error(training.said);
    return training.cpu;
  };
  await train(...settings, "--units", after, "--out", out);
  const cpu = await train("--resume", out, "--units", units - after);
  const work = rows(out).at(-1).work - rows(out)[after - 1].work;
  const measured = { out, rate: rate(out, after), work, cpu };
  measuredAlone.set(out, measured);
  return measured;
}

class Fleet {
  static number = 0;

  constructor(settings, units, cores) {
    Object.assign(this, {
      settings,
      units,
      cores,
      out: `fleet-${Fleet.number++}`,
      joined: [],
      server: 0,
      serverCpu: 0,
    });
  }

  async serve(more = this.settings) {
    this.ports ??= ["--port", await freePort(), "--web-port", await freePort()];
    const where = more === this.settings ? ["--out", this.out] : [];
    const args = ["fleet", "serve", ...more, ...where, "--units", this.units - (this.saved ?? 0), "--threads", "1"];
    this.learner = start(this.cores, [...args, ...this.ports].map(String));
    this.link = await until("the link", () => /fleet join '([^']+)'/.exec(this.learner.said)?.[1], 60);
    this.server = Number(readFileSync(join(folder, this.out, "fleet/nats.pid"), "utf8"));
    this.timer ??= setInterval(() => {
      this.serverCpu = Math.max(this.serverCpu, cpuSeconds(this.server) ?? 0);
      this.last = this.status() ?? this.last;
    }, LOOK_MS);
  }

  /** Goes on after the learner was killed. */
  async resume() {
    // The header of a checkpoint is JSON, and the run's own header in it is JSON in a text, so quotes have backslashes.
    this.saved = Number(/"?units\\?":(\d+)/.exec(checkpoint(this.out).subarray(0, 20_000).toString("latin1"))[1]);
    await this.serve(["--resume", this.out]);
  }

  join(threads) {
    const joined = start(this.cores, ["fleet", "join", this.link, "--threads", String(threads)]);
    this.joined.push(joined);
    return joined;
  }

  status() {
    try {
      return JSON.parse(readFileSync(join(folder, this.out, "fleet/status.json"), "utf8"));
    } catch {
      return undefined;
    }
  }

  async end() {
    const code = await this.learner.ended;
    clearInterval(this.timer);
    if (code !== 0) throw new Error(this.learner.said);
    await Promise.all(this.joined.filter(({ child }) => !child.killed).map(({ ended }) => ended));
  }

  get cpu() {
    return this.learner.cpu + this.serverCpu + this.joined.reduce((sum, { cpu }) => sum + cpu, 0);
  }
}

const fixed = (value, digits = 2) => value.toFixed(digits);
const megabytes = (value) => `${fixed(value / 1e6, 3)} MB/s`;

function assertUnharmed(fleet, reference) {
  if (!checkpoint(fleet.out).equals(checkpoint(reference))) throw new Error(`${fleet.out}: other bytes than alone`);
  const refused = fleet.last.refusals.reduce((sum, { count }) => sum + count, 0);
  if (refused > 0 || fleet.last.quarantined.length > 0) throw new Error(`refused: ${JSON.stringify(fleet.last)}`);
}

/**
 * Compares fleets with single processes after the first `known` units of a run. `fleets` are their numbers of actors.
 * The result is, for one table, the seconds to play it, the bytes of its result and the seconds to check that.
 */
async function measureRates(settings, units, known, fleets) {
  const all = cpus().length;
  let measured;
  for (const actors of fleets) {
    const cores = `0-${Math.min(actors, all) - 1}`;
    const single = await measureAlone(settings, units, known, Math.min(actors, all), cores);
    const fleet = new Fleet(settings, units, cores);
    await fleet.serve();
    for (let i = 0; i < actors; i++) fleet.join(1);
    await until("the first units", () => fleet.last?.unit >= known, 1200);
    const { cpu: cpuBefore, last: before } = fleet;
    await fleet.end();
    assertUnharmed(fleet, single.out);
    const { learner, seconds, late } = fleet.last;
    const work = rows(fleet.out).at(-1).work - rows(fleet.out)[before.unit - 1].work;
    const results = (units - before.unit) * fleet.last.jobs.all;
    const checking = learner.checking_share * seconds - before.learner.checking_share * before.seconds;
    if (actors === 1) {
      const jobs = units * fleet.last.jobs.all;
      measured = {
        tableSeconds: fleet.joined[0].cpu / jobs,
        // Bytes for each position, times the positions of a table.
        bytes: (fleet.last.bytes_in_per_second / fleet.last.rate) * (rows(fleet.out).at(-1).work / jobs),
        checking: checking / results,
      };
    }
    const byClock = actors <= all ? `${fixed(rate(fleet.out, known) / single.rate)} of one process by the clock, ` : "";
    const byCpu = work / (fleet.cpu - cpuBefore) / (single.work / single.cpu);
    console.log(
      `${actors} actors on ${Math.min(actors, all)} cores: ${byClock}${fixed(byCpu)} by CPU; same bytes; ` +
        `learner ${fixed(100 * learner.waiting_share, 0)} % of the time at the barrier; ` +
        `${megabytes(fleet.last.bytes_in_per_second)} in, ${megabytes(fleet.last.bytes_out_per_second)} out; ` +
        `verification ${fixed((1000 * checking) / results, 0)} ms of a core a result, ` +
        `${late} late; no refusals`,
    );
  }
  return measured;
}

async function measureRecoveries() {
  const units = 60;
  const fleet = new Fleet(SHORT_RUN, units, `0-${cpus().length - 1}`);
  await fleet.serve();
  fleet.join(1);
  fleet.join(1);
  for (const [i, what] of ["server", "learner", "server and learner", "actor"].entries()) {
    await until("the run goes on", () => (fleet.status()?.unit ?? 0) >= 10 * (i + 1));
    const { unit } = fleet.status();
    const begin = Date.now();
    if (what === "actor") {
      fleet.joined[0].child.kill("SIGKILL");
      fleet.join(1);
    }
    if (what.includes("server")) process.kill(fleet.server, "SIGKILL");
    if (what.includes("learner")) {
      fleet.learner.child.kill("SIGKILL");
      await fleet.learner.ended;
      await fleet.resume();
    }
    const isNew = (status) => status && 1000 * status.time > begin && status.unit > unit;
    await until("another unit", () => isNew(fleet.status()));
    console.log(`killed the ${what}: ${fixed((Date.now() - begin) / 1000, 1)} s to the next new unit`);
  }
  await fleet.end();
  assertUnharmed(fleet, (await measureAlone(SHORT_RUN, units, 1, 1, "0")).out);
  console.log("after all kills: same bytes, no refusals");
}

async function measureLight() {
  const [units, actors] = [6, 100];
  const cores = `0-${cpus().length - 1}`;
  const single = await measureAlone(LIGHT_RUN, units, 1, 1, "0");
  const fleet = new Fleet(LIGHT_RUN, units, cores);
  await fleet.serve();
  fleet.join(actors);
  await fleet.end();
  assertUnharmed(fleet, single.out);
  const results = units * LIGHT_RUN_TABLES;
  const { accepted, late, seconds } = fleet.last;
  const host = fleet.learner.cpu / results;
  const server = fleet.serverCpu / results;
  console.log(
    `${actors} light actors: same bytes, no refusals; ${results} results (${accepted} counted so far, ${late} late) in ` +
      `${fixed(seconds, 0)} s; learner ${fixed(1000 * host, 1)} ms of a core a result, learning and checks included; server ` +
      `${fixed(1000 * server, 2)} ms`,
  );
  return { server };
}

/** Estimates from the measurements what a thousand actors with this preset would need. */
function printEstimate({ tableSeconds, bytes, checking }, light) {
  const perSecond = 1000 / tableSeconds; // 1000 actors
  console.log(
    `on paper, 1,000 actors at ${fixed(tableSeconds, 1)} s a table: ${fixed(perSecond, 0)} results/s of ` +
      `${fixed(bytes / 1000, 0)} kB, ${fixed((perSecond * bytes) / 1e6, 1)} MB/s in; verification on ` +
      `${fixed(perSecond * checking, 1)} cores; server on ${fixed(perSecond * light.server, 2)} cores`,
  );
}

main(async () => {
  if (process.argv[2]) program = resolve(process.argv[2]);
  else {
    await run("cargo", ["build", "--release", "-p=learnery-cli", "--no-default-features", "--features=fleet"]);
    program = join(root, "target/release/learnery");
  }
  folder = mkdtempSync(join(tmpdir(), "learnery-bench-fleet-"));
  console.log(`${cpus().length} cores of ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)} at the beginning`);
  try {
    const measured = await measureRates(RUN_ARGUMENTS, RUN_UNITS, PROBATION_UNITS, [1, 2, 4, 8]);
    console.log("the first units, with the preset's two tables:");
    await measureRates(PRESET_RUN, PRESET_UNITS, 1, [1, 2]);
    await measureRecoveries();
    printEstimate(measured, await measureLight());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`load ${loadavg()[0].toFixed(1)} at the end`);
});
