// Runs programs in process groups of their own. When this process ends, it ends these groups with all that they have
// started: cargo starts compilers, which would go on otherwise.

import { spawn, spawnSync } from "node:child_process";
import { root } from "./commands.mjs";

const windows = process.platform === "win32";

/** The processes that lead a group and have not ended. */
const leaders = new Set();

/**
 * Runs a program in the root of the repository. `onText` receives its output in pieces. Rejects if the program fails.
 */
export function runInGroup(program, args, { onText, env = process.env, shell = false }) {
  return new Promise((resolve, reject) => {
    // On Windows a detached process would open a window. There, Ctrl-C reaches all processes of the terminal.
    const child = spawn(program, args, {
      cwd: root,
      env,
      shell,
      stdio: ["ignore", "pipe", "pipe"],
      detached: !windows,
    });
    leaders.add(child);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onText);
    child.on("error", (error) => {
      leaders.delete(child);
      reject(error);
    });
    child.on("close", (code, signal) => {
      leaders.delete(child);
      if (code === 0) resolve();
      else reject(new Error(`\`${[program, ...args].join(" ")}\` failed (${signal ?? code})`));
    });
  });
}

/** Ends all groups that are still running. */
function endGroups() {
  for (const { pid } of leaders) {
    if (windows) spawnSync("taskkill", ["/pid", pid, "/T", "/F"]);
    else
      try {
        process.kill(-pid, "SIGTERM");
      } catch {
        // It has ended in this moment.
      }
  }
  leaders.clear();
}

/** Makes all groups end with this program, also when it is interrupted. */
export function endGroupsWithProgram() {
  process.once("exit", endGroups);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      endGroups();
      // The signal once more, now without a handler: npm expects that its script ends by the signal.
      process.kill(process.pid, signal);
    });
  }
}
