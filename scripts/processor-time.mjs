// Measures the processor time of everything that a stage starts. On Linux its programs run in a control group (cgroups(7)) of
// their own, whose clock also counts processes that nobody waits for: browsers leave many. Elsewhere nothing is measured.

import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { withPriority } from "./niceness.mjs";

const MOUNT = "/sys/fs/cgroup";

/** The group of the stage that runs, for programs that it starts. */
const current = new AsyncLocalStorage();

let groups = 0;

/** The folder of this process's control group that counts processor time, or undefined. */
function ownFolder() {
  let lines;
  try {
    lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n");
  } catch {
    return undefined;
  }
  // A line is `number:controllers:path`. Version 2 has one line, without controllers.
  for (const line of lines) {
    const [, controllers, path] = line.split(":");
    if (controllers.split(",").includes("cpuacct")) return join(MOUNT, "cpuacct", path);
  }
  return join(MOUNT, lines.at(-1).split(":")[2]);
}

/** Makes a control group. Returns its folder, or undefined where that is impossible or not allowed. */
function makeGroup() {
  const own = ownFolder();
  if (!own) return undefined;
  const folder = join(own, `learnery-test-${process.pid}-${groups++}`);
  try {
    mkdirSync(folder);
    readSeconds(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/** The processor seconds of a control group so far. */
function readSeconds(folder) {
  try {
    return Number(readFileSync(join(folder, "cpuacct.usage"), "utf8")) / 1e9;
  } catch {
    const usage = /^usage_usec (\d+)$/m.exec(readFileSync(join(folder, "cpu.stat"), "utf8"));
    return Number(usage[1]) / 1e6;
  }
}

/**
 * Does `work`. Resolves to its result and the processor seconds of all programs that it started through `inGroup`, or NaN
 * where they cannot be measured.
 */
export async function withProcessorTime(work) {
  const folder = makeGroup();
  const result = await current.run(folder, work);
  if (!folder) return { result, seconds: NaN };
  const seconds = readSeconds(folder);
  try {
    rmdirSync(folder);
  } catch {
    // A process of the stage still runs; its group goes with the machine.
  }
  return { result, seconds };
}

/** The program and arguments that run a program in the control group of the stage, if there is one, and with its priority. */
export function inGroup(program, args) {
  const folder = current.getStore();
  const [first, rest] = withPriority(program, args);
  if (!folder) return [first, rest];
  const enter = 'echo $$ > "$0" && exec "$@"';
  return ["/bin/sh", ["-c", enter, join(folder, "cgroup.procs"), first, ...rest]];
}
