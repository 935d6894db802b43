// Gives programs a lower priority than others get that run beside them.

import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";

const isNiced = new AsyncLocalStorage();

/** Does `work` with low priority: its programs get processor time only when other programs leave some. */
export const niced = (work) => isNiced.run(true, work);

/** The program and arguments that run a program with the priority of the present work. */
export function withPriority(program, args) {
  if (!isNiced.getStore() || process.platform === "win32") return [program, args];
  return ["nice", ["-n", "10", program, ...args]];
}
