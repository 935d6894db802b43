// `node scripts/monitor-cost.mjs [LEARNERY]`: what watching costs a run. One run trains on one thread; three monitors,
// each in a terminal of its own, are attached for ten seconds and gone for ten seconds in turns. Prints the speed of
// the run in both, and the processor time of the monitors. Needs Linux and its command `script`.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const program = process.argv[2] ?? "target/release/learnery";
/** How often the two phases, without and with monitors, are measured. */
const REPETITIONS = 12;
const MONITORS = 3;
/** A phase is measured for this long, after a time to settle. */
const PHASE_MS = 10_000;
/** Before it is measured, monitors read the earlier rows, and rows that are still buffered reach the file. */
const SETTLE_MS = 2_000;
/** The run trains for this long before the first phase. */
const WARM_UP_MS = 3_000;
/** Time for monitors to start, and for the run to end before its folder is removed. */
const START_MS = 1_000;
const END_MS = 1_500;
/** Ticks of the processor clock in a second, which Linux fixes for /proc. */
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "monitor-cost-"));
const run = join(folder, "run");
const settings = ["--threads", "1", "--device", "cpu", "--set", "eval_every=0", "--for", "1h", "--out", run];
const training = spawn(program, ["train", "control", ...settings], { stdio: "ignore" });

/** The last complete row of the run. */
function lastRow() {
  const lines = readFileSync(join(run, "metrics.jsonl"), "utf8").split("\n");
  return JSON.parse(lines.at(-2));
}

/** Measures a phase: waits, then resolves to the units (training iterations) a second of the run in it. */
async function speed() {
  await sleep(SETTLE_MS);
  const first = lastRow();
  await sleep(PHASE_MS);
  const last = lastRow();
  return (last.unit - first.unit) / (last.seconds - first.seconds);
}

/** Processor seconds of all processes that watch the run, in user mode and in the kernel. */
function secondsOfMonitors() {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words[0] !== program || words[1] !== "watch") continue;
      // See proc(5). The name of the program, field 2, is in parentheses and may hold spaces, so the fields are counted
      // from behind it: field 3 comes first. Fields 14 and 15 are the ticks in user mode and in the kernel.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      ticks += Number(fields[14 - 3]) + Number(fields[15 - 3]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_SECOND;
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const [alone, watched, shares] = [[], [], []];
try {
  await sleep(WARM_UP_MS);
  for (let turn = 0; turn < REPETITIONS; turn++) {
    alone.push(await speed());
    const command = `stty cols 100 rows 30; exec ${program} watch ${run}`;
    const monitors = Array.from({ length: MONITORS }, () =>
      spawn("script", ["-qfc", command, "/dev/null"], { stdio: ["pipe", "ignore", "ignore"] }),
    );
    await sleep(START_MS);
    const [secondsBefore, startedAt] = [secondsOfMonitors(), Date.now()];
    watched.push(await speed());
    shares.push(((secondsOfMonitors() - secondsBefore) * 1000) / (Date.now() - startedAt) / MONITORS);
    monitors.forEach((monitor) => monitor.kill());
    console.log(`turn ${turn + 1}: ${alone.at(-1).toFixed(1)} units/s alone, ${watched.at(-1).toFixed(1)} watched`);
  }
  const ratio = median(watched.map((speed, turn) => speed / alone[turn]));
  console.log(
    `medians: ${median(alone).toFixed(1)} units/s alone, ${median(watched).toFixed(1)} with ${MONITORS} monitors`,
  );
  console.log(`ratio ${ratio.toFixed(4)}; a monitor takes ${(100 * median(shares)).toFixed(2)} % of a core`);
} finally {
  training.kill();
  await sleep(END_MS);
  rmSync(folder, { recursive: true, force: true });
}
