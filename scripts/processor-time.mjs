// Measures the processor time of the programs that a stage starts, with everything that these start. They run in a
// control group of their own (cgroups(7)), whose clock also counts orphaned processes: browsers leave many. Where there
// are no control groups, or the user may not make one, nothing is measured.

import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { withPriority } from "./niceness.mjs";

const CGROUP_MOUNT = "/sys/fs/cgroup";

/** The group of the stage that runs, for programs that it starts. */
const stageGroup = new AsyncLocalStorage();

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
    if (controllers.split(",").includes("cpuacct")) return join(CGROUP_MOUNT, "cpuacct", path);
  }
  return join(CGROUP_MOUNT, lines.at(-1).split(":")[2]);
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

function removeGroup(folder) {
  try {
    if (folder) rmdirSync(folder);
  } catch {
    // A process of the stage still runs, so the group stays until the machine is started again.
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
 * Does `work`. Resolves to its result and the processor seconds of all programs that it started through
 * `asStageProgram`, or NaN where they cannot be measured.
 */
export async function withProcessorTime(work) {
  const folder = makeGroup();
  try {
    const result = await stageGroup.run(folder, work);
    return { result, seconds: folder ? readSeconds(folder) : NaN };
  } finally {
    removeGroup(folder);
  }
}

/**
 * The program and arguments that run a program in the control group of the stage, if there is one, and with its
 * priority.
 */
export function asStageProgram(program, args) {
  const folder = stageGroup.getStore();
  const [first, rest] = withPriority(program, args);
  if (!folder) return [first, rest];
  // Where the system refuses to move the process, the program runs without being measured.
  const enter = '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"';
  return ["/bin/sh", ["-c", enter, join(folder, "cgroup.procs"), first, ...rest]];
}
