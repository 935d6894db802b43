// Playwright's runner for the browser tests. `npm test -- browser` starts it.

import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { root } from "../../scripts/commands.mjs";

/** Tests that run at the same time, each lane in a browser of its own. */
const LANES = 2;

/** Files that need the command-line program. */
const WITH_COMMAND_LINE = /\/(fleet|links|onnx|protocol)\.test\.mjs$/;

/** What needs the kernels that the Rust tests of the GPU write. */
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
    // Without pictures and copies of the page, which would slow it down.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
  },
  projects: [
    { name: "page", testIgnore: [WITH_COMMAND_LINE, KERNELS] },
    { name: "command line", testMatch: WITH_COMMAND_LINE },
    { name: "kernels", testMatch: KERNELS },
  ],
});
