// The command-line program beside a page. Test files that need it take `test` from here. They run last
// (playwright.config.mjs), because in `npm test` the program is compiled while the other browser tests run.

import process from "node:process";
import { buildCommandLine } from "../../scripts/crates.mjs";
import { test as base } from "./harness.mjs";

/** The path of the program. */
export let program;

export const test = base.extend({
  program: [
    async ({}, use) => {
      program = process.env.LEARNERY_PROGRAM ?? (await buildCommandLine());
      await use(program);
    },
    // Compiling may take long.
    { scope: "worker", auto: true, timeout: 0 },
  ],
});
