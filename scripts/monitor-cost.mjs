// `node scripts/monitor-cost.mjs [LEARNERY]`: what watching costs a run. One run trains on one thread; three monitors,
// each in a terminal of its own, are attached for ten seconds and gone for ten seconds in turns. Prints the speed of
// the run in both, and the processor time of the monitors. Needs Linux and its command `script`.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const program = process.argv[2] ?? "target/release/learnery";
const REPETITIONS = 12;
const MONITORS = 3;
const PHASE_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), "monitor-cost-"));
const run = join(folder, "run");
const settings = ["--threads", "1", "--device", "cpu", "--set", "eval_every=0", "--for", "1h", "--out", run];
const training = spawn(program, ["train", "control", ...settings], { stdio: "ignore" });

/** The last complete row of the run. */
function lastRow() {
  const lines = readFileSync(join(run, "metrics.jsonl"), "utf8").split("\n");
  return JSON.parse(lines.at(-2));
}

/** Units a second of the run from now on, for a phase. */
async function speed() {
  await sleep(2000); // Monitors read the earlier rows meanwhile, and rows that are still buffered reach the file.
  const begin = lastRow();
  await sleep(PHASE_MS);
  const end = lastRow();
  return (end.unit - begin.unit) / (end.seconds - begin.seconds);
}

/**
 * Processor seconds of all processes that watch the run. In /proc/PID/stat they are the fields utime and stime, in
 * hundredths.
 */
function secondsOfMonitors() {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words[0] !== program || words[1] !== "watch") continue;
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / 100;
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const [alone, watched, shares] = [[], [], []];
try {
  await sleep(3000);
  for (let turn = 0; turn < REPETITIONS; turn++) {
    alone.push(await speed());
    const command = `stty cols 100 rows 30; exec ${program} watch ${run}`;
    const monitors = Array.from({ length: MONITORS }, () =>
      spawn("script", ["-qfc", command, "/dev/null"], { stdio: ["pipe", "ignore", "ignore"] }),
    );
    await sleep(1000);
    const [seconds, begin] = [secondsOfMonitors(), Date.now()];
    watched.push(await speed());
    shares.push(((secondsOfMonitors() - seconds) * 1000) / (Date.now() - begin) / MONITORS);
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
  await sleep(1500);
  rmSync(folder, { recursive: true, force: true });
}
