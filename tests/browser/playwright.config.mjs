// The configuration of Playwright's test runner. `npm test -- browser` starts it.

import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { root } from "../../scripts/commands.mjs";

/** The number of tests that run at the same time. Each lane is a process with a browser of its own. */
const LANES = 2;

/** Files that need the command-line program. They run last, because in `npm test` it is being compiled meanwhile. */
const WITH_COMMAND_LINE = /\/(class-server|fleet|links|onnx|protocol)\.test\.mjs$/;

/** Compiles the kernels that the Rust tests of the GPU write, so the stage "gpu tests" runs it after them. */
const KERNELS = /\/kernels\.test\.mjs$/;

export default defineConfig({
  testDir: ".",
  testMatch: "*.test.mjs",
  outputDir: join(root, "target/browser-tests"),
  workers: LANES,
  fullyParallel: true,
  // A test that fails sometimes is a defect of the page or of the test.
  retries: 0,
  forbidOnly: true,
  // Only a test that hangs takes so long.
  timeout: 900_000,
  reporter: "list",
  use: {
    screenshot: "only-on-failure",
    // No screenshots and copies of the page in the trace: they would slow the page down.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
  },
  projects: [
    { name: "page", testIgnore: [WITH_COMMAND_LINE, KERNELS] },
    { name: "command line", testMatch: WITH_COMMAND_LINE },
    { name: "kernels", testMatch: KERNELS },
  ],
});
